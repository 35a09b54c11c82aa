"""How hard tasks are: days, cities, constraints, and what is said at first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from benchmark.suites.tripbench.modes import LIT_TURNS, MOST_DUE, MOST_TURNS
from benchmark.suites.tripbench.tasks.task import Subset, Tier


class Shape(NamedTuple):
    """What tasks of a subset are like.

    cities: with the origin. constraints, first: how many in all and in the first turn, both ends included. per_day:
    items a day that all constraints leave. most: instructions of a turn after the first. turns: at most.
    """

    tier: Tier
    days: range
    cities: tuple[int, ...]
    constraints: tuple[int, int]
    first: tuple[int, int]
    per_day: int
    most: int
    turns: int


def _shape(
    tier: Tier,
    days: range,
    cities: tuple[int, ...],
    constraints: tuple[int, int],
    first: tuple[int, int],
    per_day: int,
) -> Shape:
    return Shape(tier, days, cities, constraints, first, per_day, MOST_DUE[tier], MOST_TURNS[tier])


_HARD: Final = _shape("hard", range(3, 11), (2, 3), (11, 14), (8, 11), 4)
SHAPES: Final[Mapping[Subset, Shape]] = {
    "easy": _shape("easy", range(2, 6), (2,), (2, 6), (0, 4), 10),
    "mid": _shape("mid", range(3, 8), (2, 3), (7, 10), (4, 7), 7),
    "hard": _HARD,
    "lit": _HARD._replace(first=(3, 5), most=2, turns=LIT_TURNS),
    "fit": _HARD._replace(turns=MOST_TURNS["hard"] - 2),
    "ais": _HARD,
    "pmr": _HARD,
}
"""Table 4 and our figures; FIT keeps turns for wishes that can't be met."""
