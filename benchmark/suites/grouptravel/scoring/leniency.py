"""How the published scorer reads what plans and tables should not hold: texts for lists, odd labels, texts for costs.

The rules beside this package say what is counted; only these modules know how a value of a wrong type is walked,
searched or compared. On which values the published scorer fails, `benchmark.suites.grouptravel.scoring.faults` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
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
from benchmark.suites.grouptravel.preferences import GLOBAL_FIELDS, FieldValues, read

# Tiers of a preference table: lists of items, or whatever stands in the list's place.


Tier = list[Any] | str


def tier(value: Any) -> Tier | None:
    """What can be walked item by item and searched: a list, a text, an object's keys; None for anything else."""
    if isinstance(value, (list, str)):
        return value
    return list(value) if isinstance(value, dict) else None


def items(value: Any) -> Sequence[Any]:
    """The items of a tier; a text acts as its characters, an object as its keys, anything else holds nothing."""
    return tier(value) or ()


def holds(held: Tier, item: Any) -> bool:
    """Whether a tier has `item`: equal to one in a list, a part of a text."""
    return item in held if isinstance(held, list) or isinstance(item, str) else False


# Costs, budgets and caps, which may be written as texts.


def amount(cost: Any) -> float:
    """CNY: a text that is a number counts as that number, `true` as 1.

    What is empty, and what is not a number (on which the published scorer fails), is 0. An integer that no float can
    hold is infinite.
    """
    try:
        return float(cost or 0)
    except OverflowError:
        return inf
    except (TypeError, ValueError):
        return 0.0


def budget_limit(value: Any) -> float | None:
    """A budget to compare with: any number but 0, negative ones too."""
    return value if isinstance(value, (int, float)) and value else None


def day_limit(value: Any) -> float | None:
    """A cap of a day to compare with: a missing, zero or negative one is no limit."""
    return value if isinstance(value, (int, float)) and value > 0 else None


# Participants: a list of names, or whatever stands in its place.


def party(participants: Any) -> frozenset[Any]:
    """Who goes together, as the split penalty compares it: a text is the set of its characters."""
    if type(participants) is list:
        try:
            return frozenset(participants)
        except TypeError:  # lists or objects among them
            pass
    return frozenset(iterate_participants(participants))


def iterate_participants(participants: Any) -> list[Any]:
    """The participants one by one, as local transport follows them: unknown names too, a text by characters."""
    listed = participants if isinstance(participants, (list, str, dict)) else ()
    return [name for name in listed if not isinstance(name, (list, dict))]


# Places, labels and cities as the plan writes them, which need not be texts.


MISSING = object()
"""A key that is not there, where null says something else."""

_SITES = frozenset((ATTRACTION, FOOD, HOTEL))


def way_of(activity: Activity) -> tuple[Any, Any]:
    """Where an activity begins and where it leaves those who take part; None is no place.

    Only sights, meals, hotels and local transport have places; any text or number is one, "" too.
    """
    if activity.kind == TRANSIT:
        return activity.source.get("from"), activity.source.get("to")
    if activity.kind not in _SITES:
        return None, None
    place = activity.location or activity.source.get("location")
    return place, place


def place_named(written: Mapping[str, Any]) -> Any:
    """The place that an issue names: `location` if that key is there, even null or "", else `to`, else ""."""
    return written["location"] if "location" in written else written.get("to", "")


def day_label(day: Day) -> Any:
    """The day that an issue names: the plan's `day` as it is, 0 when missing."""
    return day.source.get("day", 0)


def overlap_key(day: Day, activity: Activity) -> tuple[Any, Any, Any]:
    """What tells one activity from another when overlapping ones are left out of the points.

    Days with equal labels share it.
    """
    label, place = day_label(day), place_named(activity.source)
    return _hashable(label), _hashable(place), _hashable(activity.start_text)


def _hashable(value: Any) -> Any:
    return repr(value) if isinstance(value, (list, dict)) else value


def city_of(segment: Leg | Block) -> Any:
    """The city in which a segment leaves the group.

    A leg without `to_city` counts as "", a block without `city` as MISSING: it is passed over.
    """
    if isinstance(segment, Leg):
        return segment.source.get("to_city", "")
    return segment.source.get("city", MISSING)


def leg_name(leg: Leg) -> str:
    """A leg in an issue about its cost."""
    get = leg.source.get
    return f"{get('from_city', '')}→{get('to_city', '')}"


def mode_of(leg: Leg) -> Any:
    """The mode of a leg, "" when missing."""
    return leg.source.get("transport_mode", "")


def has_activities(block: Block) -> bool:
    """Whether the block has the key `activities`, if only for an empty list."""
    return "activities" in block.source


# Reference tables in which a mode is the text "".


_MODES = [field for field in GLOBAL_FIELDS if field.topic == "transport"]


def with_empty_texts(filled: FieldValues, table: Any) -> FieldValues:
    """The filled fields of a table, and those for modes that hold the text "": in it the mode "" is found."""
    empty = {field: "" for field in _MODES if read(table, field) == ""}
    return {**filled, "": {**filled.get("", {}), **empty}}
