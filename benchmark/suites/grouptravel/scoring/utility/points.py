"""One point of utility, with what earned it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict

from benchmark.suites.grouptravel.preferences.schema import PreferenceField
from benchmark.suites.grouptravel.preferences.tables import FieldValues
from benchmark.suites.grouptravel.scoring.published import holds, tier
from benchmark.suites.grouptravel.scoring.published.tiers import Tier
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip


class Point(TypedDict):
    """A preference (`path`, `item`) met or violated by a part of the plan.

    tier: must, prefer, avoid, reject or cap; strength: strong or weak.
    day: the plan's label, None for the whole trip. segment, activity: places in `city_segments` and `activities`,
    None where the point is about a whole day or trip. place: the name in the plan's words (for a leg "A → B").
    matched: `name` or `category`, how the item was met, or the figure that went over a cap.
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


PointRule = Callable[[str, FieldValues, Trip], Iterable[Point]]
Held = Mapping[PreferenceField, Any]
Stated = Sequence[tuple[PreferenceField, Tier]]


def visit_point(user: str, field: PreferenceField, item: str, visit: Outing, matched: str) -> Point:
    """A point for `visit`, in the city of which the preference speaks."""
    activity = visit.activity
    return {
        "user": user,
        "path": field.path_in(visit.block.city),
        "tier": field.tier,
        "strength": field.strength,
        "item": item,
        "points": field.points,
        "day": visit.day.label,
        "segment": visit.block.at,
        "activity": activity.at,
        "place": activity.location,
        "matched": matched,
    }


def cap_point(user: str, field: PreferenceField, cap: float, day: Any, figure: float) -> Point:
    """The points lost because `figure` exceeds `cap` on `day` (None: over the whole trip)."""
    return {
        "user": user,
        "path": field.path,
        "tier": field.tier,
        "strength": field.strength,
        "item": cap,
        "points": field.points,
        "day": day,
        "segment": None,
        "activity": None,
        "place": "",
        "matched": f"{figure:g}",
    }


def stated(held: Held, fields: Sequence[PreferenceField]) -> Stated:
    """Those of `fields` that hold a tier, in this order."""
    return [(f, given) for f in fields if f in held and (given := tier(held[f])) is not None]


def first_part(name: str, parts: Iterable[str]) -> str | None:
    """The first of `parts` that is contained in `name`."""
    for part in parts:
        if part in name:
            return part
    return None


def held_fields(name: Any, wanted: Stated) -> list[PreferenceField]:
    """The fields that list `name`: must and reject may both hold, else the first of the weak ones alone."""
    held = []
    for field, value in wanted:
        if holds(value, name):
            held.append(field)
    if len(held) < 2:
        return held
    return [field for field in held if field.strength == "strong"] or held[:1]
