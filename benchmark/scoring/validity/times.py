"""Times can be read, run forwards, and put nobody in two places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from benchmark.itineraries.clock import hour_text
from benchmark.itineraries.reading import HOTEL, Activity, Day, Leg
from benchmark.scoring.trip import Outing, Overlap, Trip
from benchmark.scoring.validity.issue import Issue, at_place, of_user


def invalid_time_format(trip: Trip) -> Iterator[Issue]:
    """An activity or leg with a time that is not HH:MM, or has none; one issue each. Hotels are exempt."""
    for outing in trip.outings:
        activity = outing.activity
        if (activity.start is None or activity.end is None) and activity.kind != HOTEL:
            yield at_place("invalid_time_format", outing, "time_format", _times(activity))
    for day, leg in trip.legs:
        if leg.start is None or leg.end is None:
            yield leg_issue("invalid_time_format", day, leg, "time_format", _times(leg))


def invalid_time_range(trip: Trip) -> Iterator[Issue]:
    """An activity that does not end after its start. Hotels and legs are exempt: they may end on the next day."""
    for outing in trip.outings:
        activity = outing.activity
        if activity.duration or activity.kind == HOTEL:
            continue
        if activity.start is not None and activity.end is not None:
            yield at_place("invalid_time_range", outing, "time_range", _times(activity))


def time_overlap(trip: Trip) -> Iterator[Issue]:
    """Two activities of one block at the same time: one issue for each user and pair, by block and user."""
    for _, overlaps in groupby(trip.overlaps, lambda overlap: (overlap.first.day.at, overlap.first.block.at)):
        pairs = list(overlaps)
        for user in trip.users:
            for overlap in pairs:
                if user in overlap.who:
                    yield of_user("time_overlap", user, overlap.second, "overlap", _pair(overlap))


def timeline_order_violation(trip: Trip) -> Iterator[Issue]:
    """In list order over a day, a user's activity starts before the one before it has ended."""
    for course in trip.courses:
        if not course.in_order:
            for user in trip.users:
                yield from _out_of_order(user, [o for o in course.outings if user in o.who])


def _out_of_order(user: str, outings: Sequence[Outing]) -> Iterator[Issue]:
    """An end replaces the one before it even when it is earlier; that of a hotel, or one before its start, never."""
    previous: int | None = None
    for outing in outings:
        start, end = outing.activity.start, outing.activity.end
        if previous is not None and start is not None and start < previous:
            params = {"start": outing.activity.start_text, "previous_end": hour_text(previous)}
            yield of_user("timeline_order_violation", user, outing, "order", params)
        if outing.activity.kind != HOTEL and end is not None and (start is None or end >= start):
            previous = end


def leg_issue(kind: str, day: Day, leg: Leg, key: str, params: dict[str, Any]) -> Issue:
    """An issue of an inter-city leg."""
    cities = {"from_city": leg.from_city, "to_city": leg.to_city}
    name = f"{leg.from_city} → {leg.to_city}"
    return Issue(kind, day.label, cities, leg.at, None, name, (), key, {"place": name, **params})


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
