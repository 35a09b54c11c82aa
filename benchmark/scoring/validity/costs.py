"""Meals, hotels and legs say what they cost."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.itineraries.reading import FOOD, HOTEL
from benchmark.scoring.trip import Trip
from benchmark.scoring.validity.issue import Issue, at_place
from benchmark.scoring.validity.times import leg_issue


def missing_avg_cost(trip: Trip) -> Iterator[Issue]:
    """No `avg_cost`, or null; 0 is a cost."""
    for outing in trip.outings:
        if outing.activity.cost is None and outing.activity.kind in (FOOD, HOTEL):
            yield at_place("missing_avg_cost", outing, "no_cost", {})
    for day, leg in trip.legs:
        if leg.cost is None:
            yield leg_issue("missing_avg_cost", day, leg, "no_cost", {})
