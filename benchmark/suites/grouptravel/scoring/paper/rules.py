"""The rules of the paper that compare a plan with nothing that tools returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from benchmark.plans.clock import calendar_day
from benchmark.plans.hours import DAY, read_window
from benchmark.suites.grouptravel.itineraries.reading import (
    ATTRACTION,
    FOOD,
    TRANSIT,
    Activity,
    Block,
    Day,
    Leg,
    members,
)
from benchmark.suites.grouptravel.scoring.paper.background import Background, Finding, UncheckedPart
from benchmark.suites.grouptravel.scoring.splits import splits_of
from benchmark.suites.grouptravel.scoring.trip import Outing, Stay, Trip
from benchmark.suites.grouptravel.scoring.validity.checks import city_stem, visits_while_closed
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_place

# Rule 1: opening hours hold for restaurants too.


def restaurant_hours(trip: Trip, _background: Background) -> Iterator[Issue]:
    """`outside_opening_hours` for meals, some of which are served until after midnight; times compared as times."""
    return visits_while_closed(trip, FOOD, _served)


def _served(opens: str, closes: str, meal: Activity) -> bool:
    """Hours that close no later than they open go on until the next day, and so may a meal.

    Hours that can't be read say nothing.
    """
    window = read_window(opens, closes)
    if window is None or meal.start is None or meal.end is None or window.is_whole_day:
        return True
    end = meal.start + (meal.end - meal.start) % DAY
    return any(hours.holds(meal.start, end) for hours in (window, window.evening_before))


# Rule 3: no night may be booked twice.


_Hotel = tuple[str, str]
"""City and name."""


def double_booked_night(trip: Trip, _background: Background) -> Iterator[Issue]:
    """Two hotels for one night, which the group spends together in one: each further hotel is an issue.

    A night is that of a date, else of a day's label. Whoever comes back to a hotel books it once, and a stop at the
    hotel of the night before books nothing.
    """
    left: _Hotel | None = None
    for hotels in _nights(trip):
        slept = _hotel(hotels[-1])
        booked: dict[_Hotel, Outing] = {}
        for hotel in hotels:
            house = _hotel(hotel)
            if house not in booked and (house != left or house == slept):
                booked[house] = hotel
                if len(booked) > 1:
                    yield _double_booking(next(iter(booked.values())), hotel)
        left = slept


def _nights(trip: Trip) -> list[list[Outing]]:
    nights: dict[Any, list[Outing]] = {}
    for hotel in trip.nights:
        nights.setdefault(calendar_day(hotel.day.date) or hotel.day.label, []).append(hotel)
    return list(nights.values())


def _hotel(hotel: Outing) -> _Hotel:
    name = hotel.place.name if hotel.place else hotel.activity.location
    return city_stem(hotel.block.city), name


def _double_booking(first: Outing, second: Outing) -> Issue:
    names = {"first": first.activity.location, "second": second.activity.location}
    return at_place("double_booked_night", second, "night_twice", names)


# Rule 4: young children are never without an adult.


def child_without_adult(trip: Trip, background: Background) -> Iterator[Issue]:
    """A split in which, at some moment, every adult is on a branch that does not name the children.

    Participants never name young children (only "All" includes them), so they are with whoever is on no branch.
    """
    if not background.children:
        return
    for stay in trip.stays:
        for _, cluster in splits_of(stay):
            if (out := _all_away(cluster, background)) is not None:
                yield _child_alone(stay, out, background)


def _all_away(cluster: Sequence[Activity], background: Background) -> list[Activity] | None:
    """What goes on at the first moment at which no adult is left with the children."""
    for moment in sorted({activity.start or 0 for activity in cluster}):
        out = [a for a in cluster if (a.start or 0) <= moment < (a.start or 0) + a.duration]
        if background.adults <= {name for a in out for name in _names(a, background)} and not _cared_for(
            out, background
        ):
            return out
    return None


def _cared_for(out: Sequence[Activity], background: Background) -> bool:
    """Whether each child that is known by name is named on a branch with an adult."""
    parties = [set(_names(activity, background)) for activity in out]
    return all(any(child in p and p & background.adults for p in parties) for child in background.children)


def _names(activity: Activity, background: Background) -> list[str]:
    given = activity.participants
    return (
        [n for n in given if isinstance(n, str)]
        if isinstance(given, list)
        else sorted(members(given, background.record.users))
    )


def _child_alone(stay: Stay, out: Sequence[Activity], background: Background) -> Issue:
    last = max(out, key=lambda activity: activity.start or 0)
    parties = " | ".join(
        [
            f"{', '.join(_names(a, background))}: {a.place}" if a.place else ", ".join(_names(a, background))
            for a in out
        ]
    )
    children = ", ".join(background.children)
    params = {"place": last.place, "start": last.start_text, "parties": parties, "children": children}
    return Issue(
        "child_without_adult",
        stay.day,
        {"location": last.place},
        stay.block.at,
        last.at,
        last.place,
        background.children,
        "child_alone",
        params,
    )


# Rule 7: every scheduled item carries a cost.


_FREE_AS_PUBLISHED = frozenset((ATTRACTION, TRANSIT))


def uncosted_item(trip: Trip, _background: Background) -> Iterator[Issue]:
    """`missing_avg_cost` for sights and local transport too; 0 is a cost. Rest is nothing that costs."""
    for outing in trip.outings:
        if outing.activity.kind in _FREE_AS_PUBLISHED and outing.activity.cost is None:
            yield at_place("missing_avg_cost", outing, "no_cost", {})


# Rule 8: the legs that a trip needs are there.


_TYPE = "missing_required_leg"


def missing_required_leg(trip: Trip, background: Background) -> Iterator[Finding]:
    """The trip opens with a leg from the departure city to its first city and closes with one back from its last.

    Several legs in a row may lead there. Nobody needs one who stays where the group departs. Where no block names a
    city, the legs do.
    """
    segments = [(day, segment) for day in trip.days for segment in day.segments]
    stops = _stops(segments)
    if not stops:
        return
    first, last = stops[0], stops[-1]
    home = background.record.departure_city
    if not home:
        yield UncheckedPart(_TYPE, first.day.label, first.segment.at, None, "", "no_departure_city")
        return
    if not _lead(segments[: first.begins], home, first.city):
        yield _missing(first, home, first.city, "no_departure")
    if not _lead(segments[last.ends :], last.city, home):
        yield _missing(last, last.city, home, "no_return")


class _Stop(NamedTuple):
    """Where the trip comes to a city. begins, ends: how many segments lead there, and how many are over after it."""

    day: Day
    segment: Leg | Block
    city: str
    begins: int
    ends: int


def _stops(segments: Sequence[tuple[Day, Leg | Block]]) -> list[_Stop]:
    placed = list(enumerate(segments))
    blocks = [_Stop(d, s, s.city, i, i + 1) for i, (d, s) in placed if isinstance(s, Block) and s.city]
    return blocks or [_Stop(d, s, s.to_city, i + 1, i + 1) for i, (d, s) in placed if isinstance(s, Leg)]


def _lead(segments: Sequence[tuple[Day, Leg | Block]], origin: str, target: str) -> bool:
    """Whether the legs among them lead from one city to the other, or these are one."""
    wanted = city_stem(origin), city_stem(target)
    legs = [segment for _, segment in segments if isinstance(segment, Leg)]
    if not legs or wanted[0] == wanted[1]:
        return wanted[0] == wanted[1]
    return (city_stem(legs[0].from_city), city_stem(legs[-1].to_city)) == wanted


def _missing(stop: _Stop, origin: str, target: str, key: str) -> Issue:
    cities = {"from_city": origin, "to_city": target}
    return Issue(_TYPE, stop.day, cities, stop.segment.at, None, "", (), key, cities)


# Rule 6: all trials count.


def over_all_trials(values: Sequence[float | None]) -> float:
    """The mean of one figure over every trial of a task; one without it, such as one that crashed, scores 0."""
    return fmean([value or 0.0 for value in values]) if values else 0.0
