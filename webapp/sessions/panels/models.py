"""Which models sat at the table, and what they were asked."""

from __future__ import annotations

from typing import Any

from benchmark.conversation.events import ModelCalled
from benchmark.conversation.model_use import merged, model_use, total
from webapp.sessions.reading import Reading


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """Who sits where, the use of each model by role, the whole, and the requests one by one."""
    uses = merged(model_use(reading.events))
    return {
        "seats": list(reading.state.seats.values()),
        "uses": uses,
        "total": total(uses),
        "requests": [(e.seq, e.body) for e in reading.events if isinstance(e.body, ModelCalled)],
    }
