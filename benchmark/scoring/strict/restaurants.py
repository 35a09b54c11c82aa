"""Rule 1: opening hours hold for restaurants too."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.itineraries.reading import FOOD
from benchmark.scoring.strict.background import Background
from benchmark.scoring.trip import Trip
from benchmark.scoring.validity.hours import visits_while_closed
from benchmark.scoring.validity.issue import Issue


def restaurant_hours(trip: Trip, _background: Background) -> Iterator[Issue]:
    """`outside_opening_hours` for meals, some of which are served until after midnight."""
    return visits_while_closed(trip, FOOD, overnight=True)
