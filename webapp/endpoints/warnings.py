"""What a researcher should know of an endpoint before a session is begun with it."""

from __future__ import annotations

from django.utils.translation import gettext as _now

from webapp.endpoints.findings import SESSION_TOKENS, Findings
from webapp.endpoints.models import ModelEndpoint


def warning_words(found: Findings, endpoint: ModelEndpoint) -> list[str]:
    """What a researcher should know before a session is begun with this endpoint."""
    told = []
    if found.lists is False:
        words = _now("The server lists %(served)s, and not %(model)s. Check the model's name.")
        told.append(words % {"served": ", ".join(found.served), "model": endpoint.model})
    if tokens := found.too_small(endpoint):
        words = _now(
            "The context has %(tokens)s tokens, and a session needs about %(needed)s. Give the server a longer one "
            "(llama-server -c, Ollama num_ctx, vLLM --max-model-len), or use another model."
        )
        told.append(words % {"tokens": f"{tokens:,}", "needed": f"{SESSION_TOKENS:,}"})
    return told
