"""Lenient reading of a raw preference table: a missing or misshapen part reads as absent, no value is coerced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences.schema import (
    CITY_FIELDS,
    CITY_ROOT,
    GLOBAL_FIELDS,
    GLOBAL_ROOT,
    PreferenceField,
)

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
    held = {"": _filled(part(table, GLOBAL_ROOT), _GLOBAL_OBJECTS)}
    for city in cities(table):
        found = _filled(table[CITY_ROOT][city], _CITY_OBJECTS)
        held[city] = found if city else found | held[city]
    return held


class _Object(NamedTuple):
    """One object of a table: which of those before it holds it, under which key, and its own fields by key."""

    above: int
    key: str
    leaves: tuple[tuple[str, PreferenceField], ...]


def _objects(fields: Sequence[PreferenceField]) -> tuple[_Object, ...]:
    """Every object that holds some of `fields`, the root first and each before those below it."""
    ways = dict.fromkeys(field.keys[:depth] for field in fields for depth in range(len(field.keys)))
    places = {way: at for at, way in enumerate(ways)}
    return tuple(
        _Object(
            places[way[:-1]],
            way[-1] if way else "",
            tuple((field.keys[-1], field) for field in fields if field.keys[:-1] == way),
        )
        for way in ways
    )


_GLOBAL_OBJECTS, _CITY_OBJECTS = _objects(GLOBAL_FIELDS), _objects(CITY_FIELDS)


def _filled(root: Any, objects: Iterable[_Object]) -> dict[PreferenceField, Any]:
    """The non-empty fields below `root`; every object in it is looked up once."""
    found: dict[PreferenceField, Any] = {}
    nodes: list[dict[str, Any]] = []
    for above, key, leaves in objects:
        node = nodes[above].get(key) if nodes else root
        if not isinstance(node, dict):
            node = _NOTHING
        nodes.append(node)
        if node and leaves:
            get = node.get
            for name, field in leaves:
                if value := get(name):
                    found[field] = value
    return found


_NOTHING: dict[str, Any] = {}


def table_of(cities: Iterable[str], value: Callable[[PreferenceField, str], Any]) -> dict[str, Any]:
    """A table in the published shape and order, with the `value` of each field and city (or "").

    A field whose value is None is left out; the objects above it stay.
    """
    return {
        GLOBAL_ROOT: _written(GLOBAL_FIELDS, "", value),
        CITY_ROOT: {city: _written(CITY_FIELDS, city, value) for city in cities},
    }


def _written(
    fields: Iterable[PreferenceField], city: str, value: Callable[[PreferenceField, str], Any]
) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for field in fields:
        node = root
        for key in field.keys[:-1]:
            node = node.setdefault(key, {})
        if (held := value(field, city)) is not None:
            node[field.keys[-1]] = held
    return root
