"""Lenient reading of a raw preference table: a missing or misshapen part reads as absent, no value is coerced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmark.preferences.schema import CITY_FIELDS, CITY_ROOT, GLOBAL_FIELDS, GLOBAL_ROOT, PreferenceField

Table = Mapping[str, Any]


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
    return value if isinstance(value, list | str) else ()


def number(value: Any) -> float | None:
    """A finite limit above zero, else None: a missing, zero or misshapen cap limits nothing."""
    return value if isinstance(value, int | float) and 0 < value < float("inf") else None


def filled(table: Any) -> list[tuple[PreferenceField, str, Any]]:
    """Every non-empty field of the table as (field, city or "", raw value); 0 and "" count as empty."""
    found = [(f, "", value) for f in GLOBAL_FIELDS if (value := read(table, f))]
    for city in cities(table):
        node = table[CITY_ROOT][city]
        found += [(f, city, value) for f in CITY_FIELDS if (value := descend(node, f.keys))]
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
