"""What a finished session came to: the plan, who got what, what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.suites.grouptravel.preferences import filled_fields
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.wording.fields import field_label, field_of, value_words
from webapp.suites.grouptravel.wording.issues import type_words
from webapp.wording.numbers import number_words


@dataclass(frozen=True, slots=True)
class TravellerOutcome:
    """What the plan gives a traveller.

    met, musts: things insisted on that are in the plan, and all of them; missed_wishes: the others in words.
    refused_wishes: things refused that are in the plan all the same. utility: signed, a dash without a plan.
    """

    user: str
    met: int
    musts: int
    missed_wishes: list[str]
    refused_wishes: list[str]
    utility: str


def context(reading: Reading) -> dict[str, Any] | None:
    """None before the session has ended and has scores."""
    score = reading.score
    if not reading.session.ended or score is None:
        return None
    figures = score.figures
    evidence = figures.get("evidence", {})
    points = evidence.get("utility", ())
    utilities = figures.get("per_user_utility") or {}
    plan = reading.state.plan
    return {
        "days": len(plan.get("days") or ()) if isinstance(plan, dict) else 0,
        "planned": plan is not None,
        "got": [_outcome_of(user, reading, points, utilities.get(user)) for user in reading.users],
        "issues": Counter(type_words(issue["type"]) for issue in evidence.get("validity", ())).most_common(),
    }


def _outcome_of(
    user: str, reading: Reading, points: Sequence[Mapping[str, Any]], utility: float | None
) -> TravellerOutcome:
    own = [point for point in points if point["user"] == user]
    met = {(point["path"], str(point["item"])) for point in own if point["points"] > 0}
    musts = _musts(reading.state.tables.get(user))
    refused = [_words(point["path"], point["item"]) for point in own if _is_refused(point)]
    missed = [_words(path, item) for path, item in musts if (path, str(item)) not in met]
    return TravellerOutcome(
        user,
        len(musts) - len(missed),
        len(musts),
        missed,
        list(dict.fromkeys(refused)),
        number_words(utility, 0, signed=True),
    )


def _musts(table: Any) -> list[tuple[str, Any]]:
    """What a table insists on: path and item."""
    return [
        (field.path_in(city), item)
        for field, city, value in filled_fields(table)
        if field.tier == "must"
        for item in (value if isinstance(value, list) else [value])
    ]


def _is_refused(point: Mapping[str, Any]) -> bool:
    return point["points"] < 0 and point.get("tier") == "reject"


def _words(path: str, item: Any) -> str:
    field, city = field_of(path)
    return f"{field_label(field, city)}: {value_words(item, field)}" if field is not None else str(item)
