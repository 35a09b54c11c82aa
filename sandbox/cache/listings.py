"""The places that cached answers list: what a pack can look up besides its calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from sandbox.cache.entries import Entry
from sandbox.worlds.text import normalise

LISTING_TOOLS = ("search_along_route", "search_poi")
"""The tools that list places by id, in the order in which a pack holds them."""


class Listed(NamedTuple):
    """A place as an answer lists it.

    id: as text. city: its own, else the call's. kind: attraction, restaurant, … in our tools' answers. city, name,
    category, kind: normalised, empty where they are not told. record: all its fields.
    """

    id: str
    city: str
    name: str
    category: str
    kind: str
    record: Mapping[str, Any]


def places_in(entry: Entry) -> Iterator[Listed]:
    """The objects with an id in the lists of an answer, in its order; none where it is no JSON."""
    city = _key(entry.call.arguments.get("city"))
    for item in _items(entry.result):
        id_ = item.get("id")
        if isinstance(id_, str | int) and not isinstance(id_, bool) and str(id_).strip():
            own, name, category, kind = (
                _key(item.get(field)) for field in ("city", "name", "category", "kind")
            )
            yield Listed(str(id_).strip(), own or city, name, category, kind, item)


def _items(result: str) -> Iterator[Mapping[str, Any]]:
    """Every object within a list."""
    try:
        waiting: list[Any] = [orjson.loads(result)]
    except orjson.JSONDecodeError:
        return
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += reversed(value.values())
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, dict))
            waiting += reversed(value)


def _key(value: object) -> str:
    return normalise(value) if isinstance(value, str) else ""
