"""How a session ended."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.suites import FIRST
from webapp.pages import pages_of

_ENDINGS: dict[str, Promise] = {
    "context_overflow": _("It crashed: the agent's context was full."),
    "connection_error": _("It crashed: no usable answer came from a model."),
    "rate_limit": _("It crashed: a model refused further calls."),
    "runtime_error": _("It crashed: an error ended it."),
    "stopped": _("A researcher stopped it."),
}


def ending_words(reason: str, suite: str = FIRST) -> str:
    """A completion reason as a sentence; an unknown one in its own words."""
    return str(_ENDINGS.get(reason) or pages_of(suite).endings.get(reason) or reason.replace("_", " "))
