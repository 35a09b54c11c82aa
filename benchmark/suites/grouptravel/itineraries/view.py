"""The plan of a group's trip as pages show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmark.plans.view import NO_ONE, Cost, CostLine, Day, Entry, Kind, PlanView, Ref, When, Where, as_text
from benchmark.suites.grouptravel.itineraries import reading
from benchmark.suites.grouptravel.itineraries.reading import Activity, Block, Leg, members, read_plan
from sandbox.worlds.geo import Point

KINDS: dict[str, Kind] = {
    reading.ATTRACTION: "visit",
    reading.FOOD: "meal",
    reading.HOTEL: "stay",
    reading.TRANSIT: "move",
}
"""Of activities; every other one is `other`."""

_DAY_MIN = 24 * 60

PointOf = Callable[[str, str], Point | None]
"""Where the place of this name in this city lies."""


def no_point(name: str, city: str) -> Point | None:
    """Where places lie for a view that needs no points."""
    return None


def view_plan(
    plan: Any, users: Sequence[str], costs: Sequence[CostLine] = (), point_of: PointOf = no_point
) -> PlanView:
    """The view of a plan of any shape; what is no object is left out. costs: of each traveller."""
    days = [_day(day, users, point_of) for day in read_plan(plan).days]
    return PlanView(tuple(days), tuple(costs))


def activity_place(day: int, segment: int | None = None, activity: int | None = None) -> Where:
    """Where a day, a leg or stay of it, or an activity stands in a plan."""
    at: Where = ("days", day)
    if segment is not None:
        at += ("city_segments", segment)
    return at if activity is None else (*at, "activities", activity)


def _day(day: reading.Day, users: Sequence[str], point_of: PointOf) -> Day:
    cities = dict.fromkeys(city for segment in day.segments for city in _cities(segment))
    entries = [entry for segment in day.segments for entry in _entries(segment, day.at, users, point_of)]
    return Day(activity_place(day.at), str(day.label), str(day.date or ""), tuple(cities), tuple(entries))


def _cities(segment: Leg | Block) -> tuple[str, ...]:
    if isinstance(segment, Leg):
        return segment.from_city, segment.to_city
    return (segment.city,) if segment.city else ()


def _entries(segment: Leg | Block, day: int, users: Sequence[str], point_of: PointOf) -> Iterator[Entry]:
    if isinstance(segment, Leg):
        yield _leg(segment, day)
        return
    for activity in segment.activities:
        yield _entry(activity, activity_place(day, segment.at, activity.at), segment.city, users, point_of)


def _leg(leg: Leg, day: int) -> Entry:
    """One that ends no later than it starts arrives on the next day."""
    end = leg.end
    if leg.start is not None and end is not None and end <= leg.start:
        end += _DAY_MIN
    return Entry(
        "leg",
        activity_place(day, leg.at),
        f"{leg.mode} {leg.from_city} → {leg.to_city}",
        When(leg.start, end, text=_times(leg)),
        Ref(leg.to_city, leg.to_city),
        Ref(leg.from_city, leg.from_city),
        leg.mode,
        cost=_cost(leg.cost),
    )


def _entry(activity: Activity, at: Where, city: str, users: Sequence[str], point_of: PointOf) -> Entry:
    when = When(activity.start, activity.end, text=_times(activity))
    who = _who(activity, users)
    if activity.kind == reading.REST:
        return Entry("other", at, activity.place, when, who=who)
    if activity.kind == reading.TRANSIT:
        ends = Ref(activity.destination or activity.place, city), Ref(activity.origin, city)
        label = f"{activity.origin} → {activity.destination}"
        return Entry("move", at, label, when, *ends, who=who, cost=_cost(activity.cost))
    place = Ref(activity.place, city, point=point_of(activity.place, city)) if activity.place else None
    kind = KINDS.get(activity.kind, "other")
    return Entry(kind, at, activity.place or activity.kind, when, place, who=who, cost=_cost(activity.cost))


def _who(activity: Activity, users: Sequence[str]) -> tuple[str, ...]:
    if activity.shared:
        return ()
    taking_part = members(activity.participants, users)
    return tuple(user for user in users if user in taking_part) or (NO_ONE,)


def _times(part: Activity | Leg) -> str:
    return f"{as_text(part.start_text)}–{as_text(part.end_text)}"


def _cost(cost: Any) -> Cost | None:
    if cost is None:
        return None
    is_number = isinstance(cost, int | float) and not isinstance(cost, bool)
    return Cost(cost if is_number else None, text=as_text(cost))
