"""The ways of a plan by the paper: in the city, between cities, and how near places lie."""

from __future__ import annotations

from itertools import pairwise

from benchmark.plans.view import Mark
from benchmark.suites.traveleval.scoring import routes
from benchmark.suites.traveleval.scoring.itinerary import Itinerary, Stop
from benchmark.suites.traveleval.scoring.legs import (
    DAY_MINUTES,
    NIGHT_H,
    PLANE,
    TRAINS,
    nearest_ride,
    rides_of,
    rides_to,
)
from benchmark.suites.traveleval.scoring.reading import DAY_H, Node, UndefinedFigure, duration, ratio
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.scoring.routes import Distance, known_points, neighbours
from benchmark.suites.traveleval.world import Ride

_PUBLIC = ("公交", "地铁")
_HALF_HOUR = 0.5
ServiceHours = tuple[float, float]
"""The first and the last hour at which public transport leaves."""


def failed_ways(plan: Itinerary, hours: ServiceHours | None) -> Result:
    """FRTC: the share of ways that no public transport serves when they begin; legs may leave too early."""
    if hours is None:
        raise UndefinedFigure(("service_hours",))
    ways = [way for day in plan.schedule for way in pairwise(day.stops)]
    ways = [(before, stop) for before, stop in ways if before.name.value != stop.name.value]
    early = _early_leg(plan)
    failed = [stop for before, stop in ways if _fails(before, stop, hours)]
    marks = [Mark(stop.node.at, "no_transport", {"name": str(stop.name.value)}) for stop in failed]
    marks += [Mark(leg.at, "early_leg") for leg in early or ()]
    count = len(ways) + (early is not None)
    return Result(ratio(len(marks), count, ("daily_plans",)), marks)


def _fails(before: Stop, stop: Stop, hours: ServiceHours) -> bool:
    """Whether a way by public transport begins outside its hours, which may be over after midnight."""
    if not isinstance(stop.node.value, dict) or stop.node.get("transportation_to").value not in _PUBLIC:
        return False
    left = 0.0 if before.kind == "start" else before.end.clock()
    left = left or stop.start.clock() - _HALF_HOUR
    return not any(hours[0] <= left + midnight <= hours[1] for midnight in (-DAY_H, 0.0, DAY_H))


def _early_leg(plan: Itinerary) -> list[Node] | None:
    """The last leg, if it leaves before the last activity ends; None where there is no such pair."""
    last_days = [day for day in plan.schedule if day.activities]
    if not last_days or len(plan.legs) < 2:
        return None
    end = last_days[-1].activities[-1].need("end_time").clock()
    return [plan.legs[-1]] if plan.legs[-1].need("start_time").clock() < end else []


def journey_deviation(plan: Itinerary) -> Result:
    """ITD (formula 5): as far as legs have a timetable; one that no service runs deviates by all its time."""
    legs = plan.legs
    if not legs:
        raise UndefinedFigure(("intercity_transport", "transport_type"))
    apart, actual, rows, marks = 0.0, 0.0, [], []
    for leg in legs:
        mode = leg.need("transportation_to").value
        if mode != PLANE and mode not in TRAINS:
            continue
        hours = duration(leg.need("start_time"), leg.need("end_time"))
        ride = _ride(plan, leg, mode)
        if ride is None:
            marks.append(Mark(leg.at, "no_service", {"to": str(leg.get("location_name").value)}))
        known = ride.hours if ride else hours
        hours += DAY_H if hours + NIGHT_H < known else 0.0
        apart, actual = apart + (abs(hours - known) if ride else hours), actual + known
        rows.append({"at": leg.at, "planned": hours, "actual": known, "number": ride.number if ride else ""})
    return Result(ratio(apart, actual, ("intercity_transport",)), marks, rows)


def _ride(plan: Itinerary, leg: Node, mode: str) -> Ride | None:
    """The service of the leg's number, else the nearest one to its place of arrival."""
    details = leg.get("details").value
    number = details.get("transport_number") if isinstance(details, dict) else None
    named = [ride for ride in rides_of(plan, mode) if ride.number == number]
    fitting = rides_to(plan, mode, leg.need("location_name").text()[:2])
    begins, ends = (round(leg.need(key).clock() * 60) for key in ("start_time", "end_time"))
    return nearest_ride(
        named or fitting,
        lambda ride: _minutes_across(ride.departure, begins) + _minutes_across(ride.arrival, ends),
    )


def _minutes_across(minute: int, other: int) -> int:
    """Across midnight too."""
    return min((minute - other) % DAY_MINUTES, (other - minute) % DAY_MINUTES)


def roundabout(plan: Itinerary, distance: Distance) -> Result:
    """SSR (formula 13); none without days."""
    if not plan.schedule:
        raise UndefinedFigure(("daily_plans",))
    for stop in plan.stops:
        stop.name.name()
    return routes.roundabout(plan, distance)


def spreads(plan: Itinerary, distance: Distance) -> list[float]:
    """CSM (formula 14): of attractions alone; one alone on its day, or without another day, has no value."""
    visits = ([visit for visit in day.visits if visit.kind == "activity"] for day in plan.schedule)
    days = [known_points(plan, own) for own in visits]
    near = zip(days, neighbours(days, distance), strict=True)
    return [value for day, own in near for name, _ in day if (value := own[name]) is not None]
