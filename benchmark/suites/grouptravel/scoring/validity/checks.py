"""The checks of a plan: each gives its issues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import groupby
from typing import Any

from benchmark.plans.clock import calendar_day, hour_text
from benchmark.suites.grouptravel.itineraries.reading import (
    ALL,
    ATTRACTION,
    FOOD,
    HOTEL,
    REST,
    TRANSIT,
    Activity,
    Block,
    Day,
    Leg,
)
from benchmark.suites.grouptravel.scoring.leniency import (
    MISSING,
    city_of,
    has_activities,
    iterate_participants,
    leg_name,
    place_named,
    way_of,
)
from benchmark.suites.grouptravel.scoring.trip import Outing, Overlap, Step, Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_leg, at_place, of_user

# Between two cities there is a leg.


_SUFFIXES = ("市", "区", "县", "自治州", "地区")


def missing_intercity_transport(trip: Trip) -> Iterator[Issue]:
    """A block in another city than the block or leg before it: first all inside a day, then all overnight.

    Overnight only the day directly before counts, and nothing is compared with one that ends nowhere; a day whose
    very first segment is a leg is fine. A leg behind blocks that name no city is compared by where it leads.
    """
    for day in trip.days:
        yield from _inside(day)
    for before, day in zip(trip.days, trip.days[1:], strict=False):
        yield from _overnight(before, day)


def _inside(day: Day) -> Iterator[Issue]:
    last: Any = None
    for segment in day.segments:
        city = city_of(segment)
        if city is MISSING:
            continue
        if isinstance(segment, Block) and last is not None and _stem(last) != _stem(city):
            yield _gap(day, segment, last, city, "intercity_gap")
        last = city


def _overnight(before: Day, day: Day) -> Iterator[Issue]:
    first = next((segment for segment in day.segments if city_of(segment) is not MISSING), None)
    if first is None or isinstance(day.segments[0], Leg):
        return
    city = city_of(first)
    if isinstance(first, Leg) and city is None:
        return
    last = next((left for s in reversed(before.segments) if (left := city_of(s)) is not MISSING), None)
    if last and _stem(last) != _stem(city):
        yield _gap(day, first, last, city, "intercity_gap_overnight")


def _stem(city: Any) -> Any:
    return city_stem(city) if isinstance(city, str) else city


@lru_cache(maxsize=4096)
def city_stem(city: str) -> str:
    """The name without its one administrative suffix: 苏州市 and 苏州 are one city. A suffix alone is a name."""
    for suffix in _SUFFIXES:
        if city.endswith(suffix) and city != suffix:
            return city.removesuffix(suffix)
    return city


def _gap(day: Day, segment: Leg | Block, last: Any, city: Any, key: str) -> Issue:
    cities = {"from_city": last, "to_city": city}
    words = {name: value or "?" for name, value in cities.items()}
    return Issue("missing_intercity_transport", day, cities, segment.at, None, "", (), key, words)


# Every night but the last is spent in a hotel, and the hotel ends the day.


def hotel_nights(trip: Trip) -> Iterator[Issue]:
    """`missing_hotel`, or `hotel_not_last_activity` where a hotel stands elsewhere in the day.

    A day ends with its last block that says what is done there, even where a leg follows it.
    """
    for day in trip.days[:-1]:
        block = next((block for block in reversed(day.blocks) if has_activities(block)), None)
        if block is None or not block.activities:
            yield _issue("missing_hotel", day, block, None)
        elif block.activities[-1].kind != HOTEL:
            hotel = next(_hotels(day), None)
            yield _issue("hotel_not_last_activity" if hotel else "missing_hotel", day, block, hotel)


def _hotels(day: Day) -> Iterator[Activity]:
    return (activity for block in day.blocks for activity in block.activities if activity.kind == HOTEL)


def _issue(kind: str, day: Day, block: Block | None, hotel: Activity | None) -> Issue:
    last = block.activities[-1].at if block and block.activities else None
    segment = block.at if block else None
    if hotel is None:
        return Issue(kind, day, {}, segment, last, "", (), "no_hotel", {})
    params = {"hotel": hotel.location}
    return Issue(kind, day, {}, segment, last, hotel.location, (), "hotel_not_last", params)


# Times can be read, run forwards, and put nobody in two places.


_FORMAT = "invalid_time_format"


def invalid_times(trip: Trip) -> Iterator[Issue]:
    """`invalid_time_format` and `invalid_time_range`, one at most for each activity or leg. Hotels are exempt.

    The first: a time that is not HH:MM, or none. The second: an activity that does not end after its start; a leg may
    end on the next day.
    """
    for course in trip.courses:
        for step in course.steps:
            if isinstance(step, Leg):
                if step.start is None or step.end is None:
                    named = {"location": place_named(step.source)}
                    yield at_leg(_FORMAT, course.day, step, "time_format", _times(step), named)
            elif not step.activity.duration and step.activity.kind != HOTEL:
                yield _bad_times(step)


def _bad_times(outing: Outing) -> Issue:
    activity = outing.activity
    if activity.start is None or activity.end is None:
        return at_place(_FORMAT, outing, "time_format", _times(activity))
    return at_place("invalid_time_range", outing, "time_range", _times(activity))


def time_overlap(trip: Trip) -> Iterator[Issue]:
    """Two activities of one block at the same time: one issue for each user and pair, by block and user."""
    for _, overlaps in groupby(trip.overlaps, lambda overlap: (overlap.first.day.at, overlap.first.block.at)):
        yield from issues_of_overlaps(trip.users, list(overlaps))


def issues_of_overlaps(users: Sequence[str], overlaps: Sequence[Overlap]) -> Iterator[Issue]:
    """An issue for each user and pair, by user."""
    for user in users:
        for overlap in overlaps:
            if user in overlap.who:
                second = overlap.second
                yield of_user("time_overlap", user, second.day, second, "overlap", _pair(overlap))


def timeline_order_violation(trip: Trip) -> Iterator[Issue]:
    """In list order over a day, legs included, something of a user's starts before what is before it has ended."""
    everyone = frozenset(trip.users)
    for course in trip.courses:
        if not course.in_order:
            spans = [_span(step, everyone) for step in course.steps]
            for user in trip.users:
                yield from _out_of_order(user, course.day, spans)


_Span = tuple[Step, frozenset[str], int | None, int | None]
"""Something with those who take part, its start, and the end for which they have to wait, if any."""


def _span(step: Step, everyone: frozenset[str]) -> _Span:
    part, who = (step, everyone) if isinstance(step, Leg) else (step.activity, step.who)
    start, end = part.start, part.end
    if end is None or part.kind == HOTEL or (start is not None and end < start):
        return step, who, start, None
    return step, who, start, end


def _out_of_order(user: str, day: Day, spans: Sequence[_Span]) -> Iterator[Issue]:
    """An end replaces the one before it even when it is earlier; that of a hotel, or one before its start, never."""
    previous: int | None = None
    for step, who, start, end in spans:
        if user in who:
            if previous is not None and start is not None and start < previous:
                part = step if isinstance(step, Leg) else step.activity
                params = {"start": part.start_text, "previous_end": hour_text(previous)}
                yield of_user("timeline_order_violation", user, day, step, "order", params)
            if end is not None:
                previous = end


def _times(part: Activity | Leg) -> dict[str, Any]:
    return {"start": part.start_text, "end": part.end_text}


def _pair(overlap: Overlap) -> dict[str, Any]:
    first, second = overlap.first.activity, overlap.second.activity
    return {
        "first": first.place,
        "first_start": first.start_text,
        "first_end": first.end_text,
        "second": second.place,
        "second_start": second.start_text,
        "second_end": second.end_text,
    }


# Sights are visited while they are open.


Fits = Callable[[str, str, Activity], bool]
"""Whether an activity lies within the hours from one time as written to another."""


def outside_opening_hours(trip: Trip) -> Iterator[Issue]:
    """Visits to sights whose hours are known, outside them; whatever can't be read is skipped."""
    return visits_while_closed(trip, ATTRACTION, _fits_as_text)


def visits_while_closed(trip: Trip, kind: str, fits: Fits) -> Iterator[Issue]:
    """The same for one kind of activity."""
    for visit in trip.places[kind]:
        if visit.place is None or visit.place.opening_hours is None:
            continue
        activity, day = visit.activity, calendar_day(visit.day.date)
        if day and activity.start_text and activity.end_text:
            rule = _deciding(visit.place.opening_hours, day)
            if rule is not None and (issue := _closed_issue(visit, day, rule, fits)):
                yield issue


def _deciding(opening_hours: Any, day: date) -> dict[str, Any] | None:
    """The first rule that covers `day` and either closes its weekday or has windows; None when nothing decides."""
    if not isinstance(opening_hours, dict) or opening_hours.get("always_open"):
        return None
    rules = opening_hours.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        covers = isinstance(rule, dict) and _covers(rule.get("date_range"), day)
        if covers and (_day_off(rule, day) or rule.get("time_windows")):
            deciding_rule: dict[str, Any] = rule
            return deciding_rule
    return None


def _covers(date_range: Any, day: date) -> bool:
    """Both ends are included; a range that starts after its end wraps over New Year; no range is the whole year."""
    if not isinstance(date_range, dict):
        return not date_range
    start, end = date_range.get("start"), date_range.get("end")
    if not (isinstance(start, str) and isinstance(end, str)):
        return True
    today = day.isoformat()[5:]
    return start <= today <= end if start <= end else today >= start or today <= end


def _day_off(rule: dict[str, Any], day: date) -> bool:
    weekdays = rule.get("weekdays")
    return isinstance(weekdays, list) and day.isoweekday() not in weekdays


def _closed_issue(visit: Outing, day: date, rule: dict[str, Any], fits: Fits) -> Issue | None:
    if _day_off(rule, day):
        return at_place("outside_opening_hours", visit, "closed_day", {"date": day.isoformat()})
    start, end = visit.activity.start_text, visit.activity.end_text
    windows = _windows(rule["time_windows"])
    for opens, closes in windows:
        if fits(opens, closes, visit.activity):
            return None
    hours = ", ".join([f"{opens}–{closes}" for opens, closes in windows])
    params = {"date": day.isoformat(), "windows": hours, "start": start, "end": end}
    return at_place("outside_opening_hours", visit, "closed_hours", params)


def _fits_as_text(opens: str, closes: str, visit: Activity) -> bool:
    """As published: 9:00 comes after 10:00, and 25:00 after closing. What is not text can't be compared."""
    start, end = visit.start_text, visit.end_text
    return not (isinstance(start, str) and isinstance(end, str)) or (opens <= start and end <= closes)


def _windows(raw: Any) -> list[tuple[str, str]]:
    """Opening and closing times as written."""
    windows = []
    for window in raw if isinstance(raw, list) else ():
        if isinstance(window, dict):
            opens, closes = window.get("open"), window.get("close")
            if isinstance(opens, str) and isinstance(closes, str):
                windows.append((opens, closes))
    return windows


# Nobody jumps from place to place: between two places there is local transport that starts where the user is.


HUB = object()
"""Where an inter-city leg leaves the group."""
GROUP = object()
"""All users, as long as they are at one place."""
_WHOLE_GROUP = (GROUP,)


def local_transport(trip: Trip) -> Iterator[Issue]:
    """`missing_intracity_transport` and `intracity_transport_origin_mismatch`, over each day from the morning on.

    Each user's position is followed, unknown (None) in the morning. At the HUB the first thing to do but rest must be
    local transport. A position moves even after an issue; what has no place leaves it, and so does a hotel without a
    name except on arrival.
    """
    for day in trip.days:
        positions: dict[Any, Any] = {GROUP: None}
        for segment in day.segments:
            if isinstance(segment, Leg):
                positions[GROUP] = HUB
            else:
                yield from _block_issues(day, segment, trip.users, positions)


def _block_issues(day: Day, block: Block, users: Sequence[str], positions: dict[Any, Any]) -> Iterator[Issue]:
    for activity in block.activities:
        if activity.kind == REST:
            continue
        start, end = way_of(activity)
        for name in _names_to_follow(activity, users, positions):
            position = positions.get(name)
            if position is not None and position != start and _lacks_transport(position, start, activity):
                outing = Outing(day, block, activity, frozenset(), None)
                for user in users if name is GROUP else (name,):
                    yield _transport_issue(user, position, start, outing)
            if end is not None and (end != "" or position is HUB or activity.kind != HOTEL):
                positions[name] = end
        if end and activity.shared:
            positions[GROUP] = end


def _names_to_follow(activity: Activity, users: Sequence[str], positions: dict[Any, Any]) -> Sequence[Any]:
    """Whose positions an activity may change: that of the GROUP as long as all users are together."""
    if activity.shared:
        return _WHOLE_GROUP if GROUP in positions else users
    if GROUP in positions:
        positions.update(dict.fromkeys(users, positions.pop(GROUP)))
    return iterate_participants(activity.participants)


def _lacks_transport(position: Any, start: Any, activity: Activity) -> bool:
    return activity.kind != TRANSIT if position is HUB else start is not None


def _transport_issue(user: Any, position: Any, start: Any, outing: Outing) -> Issue:
    kind, params = "missing_intracity_transport", {"position": position}
    if position is HUB:
        return of_user(kind, user, outing.day, outing, "no_transport_after_leg", {})
    if outing.activity.kind != TRANSIT:
        return of_user(kind, user, outing.day, outing, "no_transport", params)
    kind, params = "intracity_transport_origin_mismatch", {"position": position, "origin": start}
    return of_user(kind, user, outing.day, outing, "wrong_origin", params)


# Meals, hotels and legs say what they cost.


_COSTS = "missing_avg_cost"
_COUNTED_KINDS = frozenset((FOOD, HOTEL))


def missing_avg_cost(trip: Trip) -> Iterator[Issue]:
    """A meal, hotel or leg without `avg_cost`, or with null; 0 is a cost."""
    costs = [outing.activity.cost for kind in _COUNTED_KINDS for outing in trip.places[kind]]
    if None not in costs and None not in [leg.cost for _, leg in trip.legs]:
        return
    for course in trip.courses:
        for step in course.steps:
            if isinstance(step, Leg):
                if step.cost is None:
                    yield at_leg(_COSTS, course.day, step, "no_cost", {}, {"location": leg_name(step)})
            elif step.activity.kind in _COUNTED_KINDS and step.activity.cost is None:
                yield at_place(_COSTS, step, "no_cost", {})


# Participants are members of the group.


_PARTICIPANTS = "invalid_participants"


def invalid_participants(trip: Trip) -> Iterator[Issue]:
    """Not a list, an empty list, or a name that is neither a user nor "All" (one issue a name). Hotels are exempt."""
    for stay in trip.stays:
        for outing in stay.own:
            if outing.activity.kind != HOTEL:
                yield from _wrong_names(outing, trip)


def _wrong_names(outing: Outing, trip: Trip) -> Iterator[Issue]:
    given = outing.activity.participants
    if not isinstance(given, list):
        yield at_place(_PARTICIPANTS, outing, "participants_shape", {"given": given})
    elif not given:
        yield at_place(_PARTICIPANTS, outing, "participants_empty", {})
    else:
        for name in given:
            if name != ALL and name not in trip.users:
                yield at_place(_PARTICIPANTS, outing, "participants_unknown", {"name": name})
