"""Places, labels and cities as the plan writes them, which need not be texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.suites.grouptravel.itineraries.reading import (
    ATTRACTION,
    FOOD,
    HOTEL,
    TRANSIT,
    Activity,
    Block,
    Day,
    Leg,
)

MISSING = object()
"""A key that is not there, where null says something else."""

_SITES = frozenset((ATTRACTION, FOOD, HOTEL))


def way_of(activity: Activity) -> tuple[Any, Any]:
    """Where an activity begins and where it leaves those who take part; None is no place.

    Only sights, meals, hotels and local transport have places; any text or number is one, "" too.
    """
    if activity.kind == TRANSIT:
        return activity.written.get("from"), activity.written.get("to")
    place = activity.written.get("location") if activity.kind in _SITES else None
    return place, place


def place_named(written: Mapping[str, Any]) -> Any:
    """The place that an issue names: `location` if that key is there, even null or "", else `to`, else ""."""
    return written["location"] if "location" in written else written.get("to", "")


def day_label(day: Day) -> Any:
    """The day that an issue names: the plan's `day` as it is, 0 when missing."""
    return day.written.get("day", 0)


def overlap_key(day: Day, activity: Activity) -> tuple[Any, Any, Any]:
    """What tells one activity from another when overlapping ones are left out of the points.

    Days with equal labels share it.
    """
    label, place = day_label(day), place_named(activity.written)
    return _hashable(label), _hashable(place), _hashable(activity.start_text)


def _hashable(value: Any) -> Any:
    return repr(value) if isinstance(value, (list, dict)) else value


def city_of(segment: Leg | Block) -> Any:
    """The city in which a segment leaves the group.

    A leg without `to_city` counts as "", a block without `city` as MISSING: it is passed over.
    """
    if isinstance(segment, Leg):
        return segment.written.get("to_city", "")
    return segment.written.get("city", MISSING)


def leg_name(leg: Leg) -> str:
    """A leg in an issue about its cost."""
    get = leg.written.get
    return f"{get('from_city', '')}→{get('to_city', '')}"


def mode_of(leg: Leg) -> Any:
    """The mode of a leg, "" when missing."""
    return leg.written.get("transport_mode", "")


def has_activities(block: Block) -> bool:
    """Whether the block has the key `activities`, if only for an empty list."""
    return "activities" in block.written
