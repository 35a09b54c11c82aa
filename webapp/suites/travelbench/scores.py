"""The scores with what stands behind each, by either profile."""

from __future__ import annotations

from typing import Any

from benchmark.core.events import ToolCalled
from benchmark.suites import metrics_of
from benchmark.suites.travelbench.scoring.sessions import PAPER
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import scores_of, values_in
from webapp.wording.metrics import shown_values


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The published figures, the verdict, and the calls with an error, also those that only the paper counts."""
    score = reading.score
    if score is None:
        return {"score": None, "ended": reading.session.ended}
    stricter = scores_of(reading.session).get(PAPER)
    places = [event.seq for event in reading.events if isinstance(event.body, ToolCalled)]
    evidence = (stricter or score).figures.get("evidence", {})
    return {
        "score": score,
        "named": list(shown_values(metrics_of(reading.session.suite), values_in(score))),
        "verdict": score.figures.get("evidence", {}).get("unsolved"),
        "stricter_verdict": evidence.get("unsolved"),
        "stricter": stricter,
        "errors": [{**error, "seq": _place(places, error)} for error in evidence.get("errors", ())],
    }


def _place(places: list[int], error: dict[str, Any]) -> int:
    """The number of the call's event."""
    at = error.get("call", 0) - 1
    return places[at] if 0 <= at < len(places) else 0
