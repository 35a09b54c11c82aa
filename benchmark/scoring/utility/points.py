"""One point of utility, with what earned it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from benchmark.preferences.schema import FIELDS, PreferenceField
from benchmark.preferences.tables import items
from benchmark.scoring.trip import Trip, Visit

FIELD = {".".join(field.keys): field for field in FIELDS}


class Point(NamedTuple):
    """A preference (`path`, `item`) met or violated by a part of the plan.

    tier: must, prefer, avoid, reject or cap; strength: strong or weak. day: the plan's label, None for the whole trip.
    segment, activity: places in `city_segments` and `activities`, None where the point is about a whole day or trip.
    place: the name in the plan's words (for a leg "A → B"). matched: `name` or `category`, how the item was met,
    or the figure that went over a cap.
    """

    user: str
    path: str
    tier: str
    strength: str
    item: Any
    points: int
    day: Any
    segment: int | None
    activity: int | None
    place: str
    matched: str


PointRule = Callable[[str, Any, Trip], Iterator[Point]]


def visit_point(user: str, field: PreferenceField, item: str, visit: Visit, matched: str) -> Point:
    """A point for `visit`, in the city of which the preference speaks."""
    outing = visit.outing
    return Point(
        user,
        field.path_in(visit.city),
        field.tier,
        field.strength,
        item,
        field.points,
        outing.day.label,
        outing.block.index,
        outing.activity.index,
        visit.name,
        matched,
    )


def cap_point(user: str, field: PreferenceField, cap: float, day: Any, figure: float) -> Point:
    """The points lost because `figure` exceeds `cap` on `day` (None: over the whole trip)."""
    return Point(
        user,
        field.path_in(""),
        field.tier,
        field.strength,
        cap,
        field.points,
        day,
        None,
        None,
        "",
        f"{figure:g}",
    )


def within(name: str, wanted: Any) -> str | None:
    """The first item of the list `wanted` that is a part of `name`."""
    return next((item for item in items(wanted) if isinstance(item, str) and item in name), None)


def listed(name: str, wanted: Any) -> bool:
    """Whether `name` is one of the list `wanted`. A string in the list's place holds what it contains."""
    return name in items(wanted)
