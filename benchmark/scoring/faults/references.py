"""Faults in the reference tables, which utility reads where there is a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmark.preferences.schema import CITY_FIELDS, CITY_ROOT, GLOBAL_FIELDS, GLOBAL_ROOT, PreferenceField
from benchmark.preferences.tables import descend
from benchmark.scoring.faults.fault import Fault
from benchmark.scoring.published import tables_in
from benchmark.scoring.published.tables import level_of
from benchmark.scoring.trip import Trip

_CAPS = ("max_poi_per_day", "max_active_hours")


def reference_faults(entries: Mapping[str, Any], trip: Trip) -> Iterator[Fault]:
    """Those in the tables of the users of the trip."""
    for user, table in tables_in(entries).items():
        if user in trip.users:
            path = f"effective_preferences.{user}{level_of(entries[user])}"
            yield from _of_table(path, table, trip)


def _of_table(path: str, table: Any, trip: Trip) -> Iterator[Fault]:
    if not isinstance(table, dict):
        yield Fault(path, "no_object")
        return
    yield from _of_fields(f"{path}.{GLOBAL_ROOT}", table.get(GLOBAL_ROOT, {}), GLOBAL_FIELDS, ())
    yield from _of_caps(f"{path}.{GLOBAL_ROOT}.intensity", descend(table, (GLOBAL_ROOT, "intensity")))
    own = table.get(CITY_ROOT, {})
    if not isinstance(own, dict):
        yield Fault(f"{path}.{CITY_ROOT}", "no_object")
        return
    for city, held in own.items():
        yield from _of_fields(f"{path}.{CITY_ROOT}.{city}", held, CITY_FIELDS, _tried(city, trip))


def _tried(city: str, trip: Trip) -> tuple[str, ...]:
    """Topics of which the plan visits something in a city, so that the names of their items are looked for."""
    food = ("food",) if city in trip.meals else ()
    return ("attraction_name", "attraction_category", *food) if city in trip.sights else food


def _of_fields(
    path: str, root: Any, fields: Sequence[PreferenceField], tried: Sequence[str]
) -> Iterator[Fault]:
    """tried: topics of which the items must be texts."""
    broken = dict.fromkeys(name for field in fields if (name := _no_object(path, root, field.keys)))
    yield from (Fault(name, "no_object") for name in broken)
    for field in fields:
        *way, key = field.keys
        node = descend(root, way)
        if isinstance(node, dict) and key in node and (reason := _of_value(field, node[key], tried)):
            yield Fault(".".join((path, *field.keys)), reason)


def _no_object(path: str, node: Any, keys: Sequence[str]) -> str:
    """The first thing on the way down to a field that should be an object and is none; "" where there is none."""
    for key in keys:
        if not isinstance(node, dict):
            return path
        if key not in node:
            return ""
        path, node = f"{path}.{key}", node[key]
    return ""


def _of_value(field: PreferenceField, value: Any, tried: Sequence[str]) -> str:
    if field.kind == "scalar":
        return "" if value is None or isinstance(value, (int, float)) else "no_number"
    if not isinstance(value, (list, str, dict)):
        return "no_list"
    return "no_text" if field.topic in tried and any(not isinstance(item, str) for item in value) else ""


def _of_caps(path: str, caps: Any) -> Iterator[Fault]:
    """The two caps of a day are compared when either is filled."""
    if isinstance(caps, dict) and any(caps.get(name) for name in _CAPS):
        yield from (Fault(f"{path}.{name}", "null_beside") for name in _CAPS if caps.get(name, 0) is None)
