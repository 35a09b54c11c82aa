"""What a rule of the paper says: an issue, or that something can't be checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.scoring.paper.background import Background
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue

REASONS: dict[str, str] = {
    "no_results": "the record holds no results of tools",
    "unreadable": "the record's tool results are free text in part, and nothing readable names it",
    "no_price": "tools returned it without a price",
    "no_departure_city": "the record does not name the city of departure",
}
"""English words by reason."""


class Unchecked(NamedTuple):
    """A part of the plan that a rule could not look at; it is no issue.

    type: of the issue that was looked for. day: the plan's label. segment, activity: places in `city_segments` and
    `activities`, None for a leg. location: its name. reason: a key of REASONS.
    """

    type: str
    day: Any
    segment: int
    activity: int | None
    location: str
    reason: str


Finding = Issue | Unchecked
PaperCheck = Callable[[Trip, Background], Iterator[Finding]]
