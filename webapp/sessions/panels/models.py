"""Which models sat at the table, and what they were asked."""

from __future__ import annotations

from typing import Any

from benchmark.core.events import ModelCalled
from benchmark.core.model_use import merge_uses, model_use, total
from webapp.endpoints.selectors import known_names
from webapp.sessions.reading import Reading
from webapp.wording.models import call_tokens


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """Who sits where, the use of each model by role, the whole, and the requests one by one.

    copied: requests before a fork, which its origin made; no use counts them.
    """
    own = reading.session.own(reading.events)
    uses = merge_uses(model_use(own))
    asked = ((event.seq, event.body) for event in reading.events)
    requests = [(seq, call, call_tokens(call)) for seq, call in asked if isinstance(call, ModelCalled)]
    return {
        "seats": list(reading.state.seats.values()),
        "uses": uses,
        "total": total(uses),
        "requests": requests,
        "copied": len(requests) - sum(use.calls for use in uses),
        "known_endpoints": known_names(),
    }
