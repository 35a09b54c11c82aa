"""Faults in the reference tables, which completeness reads, and utility where there is a plan."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from benchmark.suites.grouptravel.preferences.schema import (
    CITY_FIELDS,
    CITY_ROOT,
    GLOBAL_FIELDS,
    GLOBAL_ROOT,
    PreferenceField,
)
from benchmark.suites.grouptravel.preferences.tables import descend
from benchmark.suites.grouptravel.scoring.faults.fault import Fault
from benchmark.suites.grouptravel.scoring.faults.lists import list_faults
from benchmark.suites.grouptravel.scoring.run_record import Reference
from benchmark.suites.grouptravel.scoring.trip import Trip

_CAPS = ("max_poi_per_day", "max_active_hours")
_TEXTS = frozenset((str,))
_Found = tuple[str, str]
"""A path below a node, beginning with a dot, and a reason."""


_Tree = dict[str, Any]
"""Fields by their last key, below the objects that hold them."""


def _tree(fields: Sequence[PreferenceField]) -> _Tree:
    root: _Tree = {}
    for field in fields:
        node = root
        for key in field.keys[:-1]:
            node = node.setdefault(key, {})
        node[field.keys[-1]] = field
    return root


_GLOBAL, _CITY = _tree(GLOBAL_FIELDS), _tree(CITY_FIELDS)


def reference_faults(references: Mapping[str, Reference], trip: Trip | None) -> Iterator[Fault]:
    """Those in the tables of the users of the trip, and what completeness alone reads in all others."""
    for user, own in references.items():
        path = f"effective_preferences.{user}{own.level}"
        if trip is not None and user in trip.users:
            yield from (Fault(path + below, reason) for below, reason in _in_table(own.table, trip))
        else:
            yield from list_faults(path, own.table)


def _in_table(table: Any, trip: Trip) -> Iterator[_Found]:
    if not isinstance(table, dict):
        yield "", "no_object"
        return
    for way, reason in _in_object(table.get(GLOBAL_ROOT, {}), _GLOBAL, ()):
        yield f".{GLOBAL_ROOT}{way}", reason
    for name in _null_caps(descend(table, (GLOBAL_ROOT, "intensity"))):
        yield f".{GLOBAL_ROOT}.intensity.{name}", "null_beside"
    own = table.get(CITY_ROOT, {})
    if not isinstance(own, dict):
        yield f".{CITY_ROOT}", "no_object"
        return
    for city, held in own.items():
        for way, reason in _in_object(held, _CITY, _tried(city, trip)):
            yield f".{CITY_ROOT}.{city}{way}", reason


def _tried(city: str, trip: Trip) -> tuple[str, ...]:
    """Topics of which the plan visits something in a city, so that the names of their items are looked for."""
    food = ("food",) if city in trip.meals else ()
    return ("attraction_name", "attraction_category", *food) if city in trip.sights else food


def _in_object(node: Any, tree: _Tree, tried: Container[str]) -> list[_Found]:
    """tried: topics of which the items must be texts."""
    if not isinstance(node, dict):
        return [("", "no_object")]
    found = []
    for key, below in tree.items():
        if key not in node:
            continue
        if isinstance(below, dict):
            found += [(f".{key}{way}", reason) for way, reason in _in_object(node[key], below, tried)]
        elif reason := _of_value(below, node[key], tried):
            found.append((f".{key}", reason))
    return found


def _of_value(field: PreferenceField, value: Any, tried: Container[str]) -> str:
    if field.kind == "scalar":
        return "" if value is None or isinstance(value, (int, float)) else "no_number"
    if not isinstance(value, (list, str, dict)):
        return "no_list"
    if value and field.topic in tried and not _TEXTS.issuperset(map(type, value)):
        return "no_text"
    return ""


def _null_caps(caps: Any) -> list[str]:
    """The two caps of a day are compared when either is filled."""
    if not isinstance(caps, dict) or not any(caps.get(name) for name in _CAPS):
        return []
    return [name for name in _CAPS if caps.get(name, 0) is None]
