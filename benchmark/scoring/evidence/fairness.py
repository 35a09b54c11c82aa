"""Who is worst off, and what it is that they lack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmark.preferences.schema import paths_in
from benchmark.preferences.tables import FieldValues
from benchmark.scoring.utility import Point


def fairness_evidence(
    scores: Mapping[str, float], points: Mapping[str, Sequence[Point]], wanted: Mapping[str, FieldValues]
) -> dict[str, Any]:
    """{least, most: users, low, high: their scores, costs, unmet}.

    costs: the points that those in `least` lose. unmet: {user, path, item, points} of what they would have liked,
    where the plan holds nothing of it. When all score alike nobody is worst off: both lists of users are empty.
    """
    low, high = min(scores.values(), default=0), max(scores.values(), default=0)
    least = [user for user, score in scores.items() if score == low < high]
    return {
        "least": least,
        "most": [user for user, score in scores.items() if low < high == score],
        "low": low,
        "high": high,
        "costs": [point for user in least for point in points.get(user, ()) if point["points"] < 0],
        "unmet": [
            entry for user in least if user in wanted for entry in _unmet(user, wanted[user], points[user])
        ],
    }


def _unmet(user: str, wanted: FieldValues, points: Sequence[Point]) -> list[dict[str, Any]]:
    met = {(point["path"], point["item"]) for point in points if point["points"] > 0}
    return [
        {"user": user, "path": path, "item": item, "points": field.points}
        for city, held in wanted.items()
        for field, value in held.items()
        if field.positive and isinstance(value, list)
        for path in (paths_in(city)[field],)
        for item in value
        if isinstance(item, str) and (path, item) not in met
    ]
