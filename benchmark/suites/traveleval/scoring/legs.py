"""Whether the journeys between cities are as the timetable has them (accuracy)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from benchmark.plans.clock import minutes
from benchmark.plans.view import Mark
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.reading import (
    DAY_H,
    Node,
    UndefinedFigure,
    duration,
    keep_answers,
    ratio,
)
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.world import Ride

PLANE: Final = "飞机"
_FAST: Final = ("高铁", "动车")
TRAINS: Final = (*_FAST, "快速", "特快", "直达特快")
_HOUR_WITHOUT_TIMETABLE = 1.0
NIGHT_H = 20.0
DAY_MINUTES = 24 * 60


def journey_deviation(plan: Itinerary) -> Result:
    """ITD (formula 5): how far the planned hours of all legs are from those of the nearest services."""
    legs = plan.plan.get("intercity_transport", {}).get("transport_type")
    if not legs.value:
        return Result(1.0)
    planned, actual, rows = 0.0, 0.0, []
    for leg in legs.items():
        hours = duration(leg.get("start_time", "00:00"), leg.get("end_time", "00:00"))
        mode = leg.get("transportation_to").value
        has_timetable = mode == PLANE or mode in TRAINS
        ride = _nearest(plan, leg, mode) if has_timetable else None
        if has_timetable and ride is None:
            return Result(1.0, [Mark(leg.at, "no_service", {"to": str(leg.need("location_name").value)})])
        known = ride.hours if ride else _HOUR_WITHOUT_TIMETABLE
        hours += DAY_H if hours + NIGHT_H < known else 0.0
        planned, actual = planned + abs(hours - known), actual + known
        rows.append({"at": leg.at, "planned": hours, "actual": known, "number": ride.number if ride else ""})
    return Result(ratio(planned, actual), rows=rows)


def _nearest(plan: Itinerary, leg: Node, mode: str) -> Ride | None:
    start, end, place = leg.need("start_time"), leg.need("end_time"), leg.need("location_name")
    rides = rides_of(plan, mode)
    if not rides or not (fitting := rides_to(plan, mode, place.text()[:2])):
        return None
    begins, ends = _strict_minutes(start), _strict_minutes(end)
    if ends < begins:
        ends += DAY_MINUTES
    return nearest_ride(fitting, lambda ride: abs(ride.departure - begins) + abs(ride.arrival - ends))


@keep_answers
def rides_to(plan: Itinerary, mode: str, place: str) -> list[Ride]:
    """Those to stations whose names begin like this."""
    return [ride for ride in rides_of(plan, mode) if ride.destination.startswith(place)]


@keep_answers
def rides_of(plan: Itinerary, mode: str) -> list[Ride]:
    """The services of a mode between the two cities of a plan."""
    ends = plan.summary.get("departure").value, plan.summary.get("destination").value
    if mode == PLANE:
        return plan.tables.flights_between(*ends)
    trains = plan.tables.trains_between(*ends)
    return trains if mode in _FAST else [train for train in trains if train.kind not in _FAST]


def nearest_ride(rides: Sequence[Ride], minutes_apart: Callable[[Ride], int]) -> Ride | None:
    """The first of those that are least apart from what is planned."""
    try:
        return min(rides, key=minutes_apart, default=None)
    except ValueError as error:
        raise UndefinedFigure(("world",)) from error


def _strict_minutes(time: Node) -> int:
    read = minutes(time.value)
    if read is None:
        raise UndefinedFigure(time.at)
    return read
