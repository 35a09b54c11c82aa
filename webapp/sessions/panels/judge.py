"""What models say of how the agent worked."""

from __future__ import annotations

from typing import Any

from benchmark.suites import suite_named
from webapp.endpoints.selectors import offered
from webapp.judging import selectors
from webapp.sessions.models import Status
from webapp.sessions.reading import Reading


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The judgements, batch by batch, the newest first; they belong to the whole session whatever the moment."""
    judged = list(selectors.judged(reading.session.pk))
    rubric = suite_named(reading.session.suite).judging
    return {
        "judged": judged,
        "judging": any(one.going for one in judged),
        "dimensions": rubric.names if rubric else (),
        "has_models": bool(judged) or offered().exists(),
        "ended": reading.session.ended,
        "stopped": reading.session.status == Status.STOPPED,
    }
