"""Lenient reading of a raw preference table: a missing or misshapen part reads as absent, no value is coerced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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
    held = {"": _filled(part(table, GLOBAL_ROOT), _GLOBAL_SHAPE)}
    for city in cities(table):
        held[city] = _filled(table[CITY_ROOT][city], _CITY_SHAPE) | held.get(city, {})
    return held


class _Shape(NamedTuple):
    """What one object of a table may hold: its own fields by key, and the objects below it."""

    leaves: tuple[tuple[str, PreferenceField], ...]
    below: tuple[tuple[str, _Shape], ...]


def _shape(fields: Iterable[PreferenceField], depth: int = 0) -> _Shape:
    """The shape of the object that lies `depth` keys below the root of these fields."""
    leaves = []
    below: dict[str, list[PreferenceField]] = {}
    for field in fields:
        key, *deeper = field.keys[depth:]
        if deeper:
            below.setdefault(key, []).append(field)
        else:
            leaves.append((key, field))
    return _Shape(tuple(leaves), tuple((key, _shape(held, depth + 1)) for key, held in below.items()))


_GLOBAL_SHAPE, _CITY_SHAPE = _shape(GLOBAL_FIELDS), _shape(CITY_FIELDS)


def _filled(node: Any, shape: _Shape) -> dict[PreferenceField, Any]:
    """The non-empty fields of `node`; every object in it is looked up once."""
    found: dict[PreferenceField, Any] = {}
    _collect(node, shape, found)
    return found


def _collect(node: Any, shape: _Shape, found: dict[PreferenceField, Any]) -> None:
    if not isinstance(node, dict):
        return
    leaves, below = shape
    get = node.get
    for key, field in leaves:
        if value := get(key):
            found[field] = value
    for key, deeper in below:
        _collect(get(key), deeper, found)


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
