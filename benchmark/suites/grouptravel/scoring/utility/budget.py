"""Points lost when the trip costs one traveller more than they can spend."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.preferences.schema import FIELD
from benchmark.suites.grouptravel.preferences.tables import FieldValues
from benchmark.suites.grouptravel.scoring.published import budget_limit
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.utility.points import Point, cap_point

_BUDGET = FIELD["avg_budget"]


def budget_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """Once a trip: all legs and hotels, and the meals that the user joins; tickets are not counted."""
    cap = budget_limit(wanted.get("", {}).get(_BUDGET))
    if cap is None:
        return
    total = trip_cost(user, trip)
    if total > cap:
        yield cap_point(user, _BUDGET, cap, None, total)


def trip_cost(user: str, trip: Trip) -> float:
    """CNY per person that count against the budget of `user`, added one by one in the order of the plan.

    Python 3.12 and later round a `sum` otherwise.
    """
    total = 0.0
    for who, cost in trip.costs:
        if user in who:
            total += cost
    return total
