"""Times can be read, run forwards, and put nobody in two places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from benchmark.suites.grouptravel.itineraries.clock import hour_text
from benchmark.suites.grouptravel.itineraries.reading import HOTEL, Activity, Day, Leg
from benchmark.suites.grouptravel.scoring.published import place_named
from benchmark.suites.grouptravel.scoring.trip import Outing, Overlap, Step, Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_leg, at_place, of_user

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
                    named = {"location": place_named(step.written)}
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
        pairs = list(overlaps)
        for user in trip.users:
            for overlap in pairs:
                if user in overlap.who:
                    second = overlap.second
                    yield of_user("time_overlap", user, second.day, second, "overlap", _pair(overlap))


def timeline_order_violation(trip: Trip) -> Iterator[Issue]:
    """In list order over a day, legs included, something of a user's starts before what is before it has ended."""
    for course in trip.courses:
        if not course.in_order:
            for user in trip.users:
                steps = [s for s in course.steps if isinstance(s, Leg) or user in s.who]
                yield from _out_of_order(user, course.day, steps)


def _out_of_order(user: str, day: Day, steps: Sequence[Step]) -> Iterator[Issue]:
    """An end replaces the one before it even when it is earlier; that of a hotel, or one before its start, never."""
    previous: int | None = None
    for step in steps:
        part = step if isinstance(step, Leg) else step.activity
        if previous is not None and part.start is not None and part.start < previous:
            params = {"start": part.start_text, "previous_end": hour_text(previous)}
            yield of_user("timeline_order_violation", user, day, step, "order", params)
        if _ends(part):
            previous = part.end


def _ends(part: Activity | Leg) -> bool:
    """Whether what follows has to wait for its end."""
    return part.kind != HOTEL and part.end is not None and (part.start is None or part.end >= part.start)


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
