"""Rule 1: opening hours hold for restaurants too."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.itineraries.clock import minutes
from benchmark.suites.grouptravel.itineraries.reading import FOOD, Activity
from benchmark.suites.grouptravel.scoring.paper.background import Background
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.hours import visits_while_closed
from benchmark.suites.grouptravel.scoring.validity.issue import Issue

_DAY = 24 * 60


def restaurant_hours(trip: Trip, _background: Background) -> Iterator[Issue]:
    """`outside_opening_hours` for meals, some of which are served until after midnight; times compared as times."""
    return visits_while_closed(trip, FOOD, _served)


def _served(opens: str, closes: str, meal: Activity) -> bool:
    """Hours that close no later than they open go on until the next day, and so may a meal.

    Hours that can't be read say nothing.
    """
    first, last = minutes(opens), _DAY if closes == "24:00" else minutes(closes)
    if first is None or last is None or meal.start is None or meal.end is None:
        return True
    last += _DAY if last <= first else 0
    length = (meal.end - meal.start) % _DAY
    starts = meal.start, meal.start + _DAY
    return last - first >= _DAY or any(first <= start and start + length <= last for start in starts)
