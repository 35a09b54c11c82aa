"""The places that cached answers list: what a pack can look up besides its calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from sandbox.cache.entries import Entry
from sandbox.worlds.text import normalise


class Listed(NamedTuple):
    """A place as an answer lists it. id: as text. record: all its fields. asked_city: what the call named."""

    id: str
    record: Mapping[str, Any]
    asked_city: object

    @property
    def terms(self) -> tuple[str, ...]:
        """Its own city, else the call's; name, category and kind: normalised, empty where they are not told."""
        own, *rest = (_key(self.record.get(field)) for field in ("city", "name", "category", "kind"))
        return own or _key(self.asked_city), *rest


def places_in(entry: Entry) -> Iterator[Listed]:
    """The objects with an id in the lists of an answer, in its order; none where it is no JSON."""
    city = entry.call.arguments.get("city")
    for item in _items(entry.result):
        id_ = item.get("id")
        if isinstance(id_, str | int) and not isinstance(id_, bool) and str(id_).strip():
            yield Listed(str(id_).strip(), item, city)


def _items(result: str) -> Iterator[Mapping[str, Any]]:
    """Every object within a list."""
    try:
        value = orjson.loads(result)
    except orjson.JSONDecodeError:
        return
    waiting: list[Any] = [value] if isinstance(value, dict | list) else []
    while waiting:
        value = waiting.pop()
        within = value.values() if isinstance(value, dict) else value
        if isinstance(value, list):
            yield from (item for item in value if isinstance(item, dict))
        waiting += [each for each in reversed(within) if isinstance(each, dict | list)]


def _key(value: object) -> str:
    return normalise(value) if isinstance(value, str) else ""
