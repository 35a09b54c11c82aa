"""Lenient reading of a raw preference table: a missing or misshapen part reads as absent, no value is coerced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmark.preferences.schema import CITY_FIELDS, CITY_ROOT, GLOBAL_FIELDS, GLOBAL_ROOT, PreferenceField

FieldValues = dict[str, dict[PreferenceField, Any]]


def read(table: Any, field: PreferenceField, city: str = "") -> Any:
    """The raw value of `field` (for `city`, where it belongs to one); None when any part of the way is missing."""
    if field.scope == "global":
        return descend(part(table, GLOBAL_ROOT), field.keys)
    return descend(part(part(table, CITY_ROOT), city), field.keys)


def cities(table: Any) -> tuple[str, ...]:
    """The cities that the table speaks about, in its own order."""
    found = part(table, CITY_ROOT)
    return tuple(found) if isinstance(found, dict) else ()


def part(node: Any, key: str) -> Any:
    """`node[key]`, or None when `node` is no object or has no such key."""
    return node.get(key) if isinstance(node, dict) else None


def descend(node: Any, keys: Iterable[str]) -> Any:
    """Follow `keys` down from `node`; None when the way ends early."""
    for key in keys:
        if not isinstance(node, dict):
            return None
        node = node.get(key)
    return node


def items(value: Any) -> Sequence[Any]:
    """What a list field holds. A string in the list's place acts as its characters; anything else holds nothing."""
    return value if isinstance(value, (list, str)) else ()


def number(value: Any) -> float | None:
    """A finite limit above zero, else None: a missing, zero or misshapen cap limits nothing."""
    return value if isinstance(value, (int, float)) and 0 < value < float("inf") else None


def filled(table: Any) -> list[tuple[PreferenceField, str, Any]]:
    """Every non-empty field as (field, city or "", raw value), global ones first; 0 and "" count as empty."""
    return [
        (field, city, value) for city, held in filled_by_city(table).items() for field, value in held.items()
    ]


def filled_by_city(table: Any) -> FieldValues:
    """The raw values of all non-empty fields by city (global ones under "") and field."""
    held = {"": _filled(part(table, GLOBAL_ROOT), _GLOBAL_GROUPS)}
    for city in cities(table):
        held[city] = _filled(table[CITY_ROOT][city], _CITY_GROUPS) | held.get(city, {})
    return held


_Group = tuple[tuple[str, ...], list[tuple[str, PreferenceField]]]


def _groups(fields: Iterable[PreferenceField]) -> list[_Group]:
    """The fields by the object that holds them, so that each object is looked up once."""
    groups: dict[tuple[str, ...], list[tuple[str, PreferenceField]]] = {}
    for field in fields:
        groups.setdefault(field.keys[:-1], []).append((field.keys[-1], field))
    return list(groups.items())


_GLOBAL_GROUPS, _CITY_GROUPS = _groups(GLOBAL_FIELDS), _groups(CITY_FIELDS)


def _filled(node: Any, groups: Iterable[_Group]) -> dict[PreferenceField, Any]:
    found: dict[PreferenceField, Any] = {}
    for keys, leaves in groups:
        holder = descend(node, keys) if keys else node
        if isinstance(holder, dict):
            get = holder.get
            found |= {field: value for key, field in leaves if (value := get(key))}
    return found


def empty_table(cities: Iterable[str] = ()) -> dict[str, Any]:
    """A table with every field of the schema in its published place: lists empty, caps None (not stated)."""
    table: dict[str, Any] = {GLOBAL_ROOT: {}, CITY_ROOT: {}}
    _fill(table[GLOBAL_ROOT], GLOBAL_FIELDS)
    for city in cities:
        _fill(table[CITY_ROOT].setdefault(city, {}), CITY_FIELDS)
    return table


def _fill(node: dict[str, Any], fields: Iterable[PreferenceField]) -> None:
    for field in fields:
        parent = node
        for key in field.keys[:-1]:
            parent = parent.setdefault(key, {})
        parent[field.keys[-1]] = [] if field.kind == "list" else None
