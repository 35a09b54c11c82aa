"""Meals, hotels and legs say what they cost."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.itineraries.reading import FOOD, HOTEL, Leg
from benchmark.suites.grouptravel.scoring.published import leg_name
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_leg, at_place

_TYPE = "missing_avg_cost"
_COUNTED = frozenset((FOOD, HOTEL))


def missing_avg_cost(trip: Trip) -> Iterator[Issue]:
    """A meal, hotel or leg without `avg_cost`, or with null; 0 is a cost."""
    for course in trip.courses:
        for step in course.steps:
            if isinstance(step, Leg):
                if step.cost is None:
                    yield at_leg(_TYPE, course.day, step, "no_cost", {}, {"location": leg_name(step)})
            elif step.activity.kind in _COUNTED and step.activity.cost is None:
                yield at_place(_TYPE, step, "no_cost", {})
