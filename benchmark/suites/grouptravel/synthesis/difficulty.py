"""The difficulty of a task: a score from its users, days and cities (GroupTravelBench, appendix A.9.2, formula 1)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import orjson

from benchmark.suites.grouptravel.tasks.task import Difficulty

LEVELS: tuple[Difficulty, ...] = ("easy", "medium", "hard")

_DATA: dict[str, Any] = orjson.loads((Path(__file__).parent / "data" / "difficulty.json").read_bytes())
_WEIGHTS: dict[str, int] = _DATA["weights_in_tenths"]
_SCALES: dict[str, dict[int, int]] = {
    name: {int(count): place for count, place in scale.items()} for name, scale in _DATA["scales"].items()
}

EASY_UP_TO: float = _DATA["easy_up_to"]
HARD_FROM: float = _DATA["hard_from"]
DAYS_BY_CITIES: dict[int, tuple[int, ...]] = {
    int(cities): tuple(days) for cities, days in _DATA["days_by_cities"].items()
}
"""How many days a trip to so many cities may take."""


class Cell(NamedTuple):
    """How many tasks of the published 650 have this number of users (children count), cities and days."""

    difficulty: Difficulty
    users: int
    cities: int
    days: int
    tasks: int


QUOTA = tuple(
    Cell(row["difficulty"], row["users"], row["cities"], row["days"], row["tasks"]) for row in _DATA["quota"]
)
"""A joint distribution with the marginals of Table 8; the paper gives the marginals alone."""


def score(users: int, days: int, cities: int) -> float:
    """The difficulty score, 1.0 to 5.0 with one decimal.

    users: all members of the group, 2 to 6; children without a preference table count. days: 2 to 7. cities: 1 to 3.

    Raises:
        ValueError: a number is beyond its scale; the message names it and the scale.
    """
    # whole tenths, so that a score on a threshold is on it exactly
    given = {"users": users, "days": days, "cities": cities}
    return sum(_WEIGHTS[name] * _place(name, count) for name, count in given.items()) / 10


def level(score: float) -> Difficulty:
    """The type of a task with this score; a score on a threshold is easy, or hard."""
    if score <= EASY_UP_TO:
        return "easy"
    return "hard" if score >= HARD_FROM else "medium"


def _place(name: str, count: int) -> int:
    scale = _SCALES[name]
    if count not in scale:
        raise ValueError(
            f"{count} {name} have no difficulty score; the scale goes from {min(scale)} to {max(scale)}"
        )
    return scale[count]
