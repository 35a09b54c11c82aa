"""Points lost when the trip costs one traveller more than they can spend."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.itineraries.reading import FOOD
from benchmark.preferences.tables import FieldValues, number
from benchmark.scoring.trip import Trip, amount
from benchmark.scoring.utility.points import FIELD, Point, cap_point

_BUDGET = FIELD["avg_budget"]


def budget_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """Once a trip: all legs and hotels, and the meals that the user joins; tickets are not counted."""
    cap = number(wanted.get("", {}).get(_BUDGET))
    if cap is None:
        return
    total = trip_cost(user, trip)
    if total > cap:
        yield cap_point(user, _BUDGET, cap, None, total)


def trip_cost(user: str, trip: Trip) -> float:
    """CNY per person that count against the budget of `user`."""
    own = [o.activity.cost for o in trip.outings if o.activity.kind == FOOD and user in o.who]
    return trip.shared_cost + sum([amount(cost) for cost in own])
