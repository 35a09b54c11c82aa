"""The place catalogue that plans are scored against: names looked up exactly, then by containment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, HOTEL
from sandbox.worlds.records import HOTEL_CLASSES

_KINDS = {"attractions": ATTRACTION, "food": FOOD, "hotels": HOTEL}
_FALLBACK = {ATTRACTION: "公园", FOOD: "中餐", HOTEL: "商务酒店"}
_OTHER_CATEGORIES = {ATTRACTION: {"旅游景点", "滑雪", "游客中心"}, FOOD: {"食堂", "米粉"}}
_SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class CataloguePlace:
    """One place: `kind` attraction, food, hotel or ""; `category` as scoring counts it; `opening_hours` as given."""

    name: str
    kind: str
    category: str
    opening_hours: Any


class _Shelf(NamedTuple):
    """All names of one length, joined, so that one search in C finds the first that contains a text."""

    length: int
    names: tuple[str, ...]
    text: str

    def first_containing(self, part: str) -> str | None:
        at = self.text.find(part)
        return None if at < 0 else self.names[at // (self.length + 1)]


class Catalogue:
    """The published catalogue `{city: [{name, custom_category, poi_type, opening_hours}]}`, indexed once."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        """Index `raw`; entries without a name, and cities that hold no list, are left out."""
        self._places = {city: _by_name(entries) for city, entries in raw.items() if isinstance(entries, list)}
        self._shelves = {city: _shelves(places) for city, places in self._places.items()}

    def __len__(self) -> int:
        return sum(map(len, self._places.values()))

    def __contains__(self, city: str) -> bool:
        """Whether it has any place of `city`."""
        return bool(self._places.get(city))

    def place(self, city: str, name: str) -> CataloguePlace | None:
        """The place that `name` means in `city`, whatever its kind; None when unknown.

        The exact name (of two records the last), else the shortest stored name that contains it (of two the first).
        """
        places = self._places.get(city)
        if places is None or not name:
            return None
        return places.get(name) or self._containing(city, name)

    def has(self, city: str, kind: str, item: str, *, named: bool = False) -> bool:
        """Whether a city has a place of a kind with `item` in its name or, unless `named`, as its category."""
        return any(
            place.kind == kind and (item in place.name or (not named and place.category == item))
            for place in self._places.get(city, {}).values()
        )

    def _containing(self, city: str, name: str) -> CataloguePlace | None:
        if _SEPARATOR in name:
            return None
        for shelf in self._shelves[city]:
            if shelf.length > len(name) and (place := shelf.first_containing(name)):
                return self._places[city][place]
        return None


def category(kind: str, given: Any) -> str:
    """The category that scoring counts: one that its rules don't know falls back to the usual one of the kind."""
    name = given if isinstance(given, str) else ""
    unknown = (
        name not in HOTEL_CLASSES if kind == HOTEL else not name or name in _OTHER_CATEGORIES.get(kind, ())
    )
    return _FALLBACK.get(kind, name) if unknown else name


def _by_name(entries: list[Any]) -> dict[str, CataloguePlace]:
    return {place.name: place for place in _places(entries)}


def _places(entries: list[Any]) -> Iterator[CataloguePlace]:
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and name:
            given = entry.get("poi_type")
            kind = _KINDS.get(given, "") if isinstance(given, str) else ""
            yield CataloguePlace(
                name, kind, category(kind, entry.get("custom_category")), entry.get("opening_hours")
            )


def _shelves(places: Mapping[str, CataloguePlace]) -> list[_Shelf]:
    by_length: dict[int, list[str]] = {}
    for name in places:
        if _SEPARATOR not in name:
            by_length.setdefault(len(name), []).append(name)
    return [
        _Shelf(length, tuple(names), _SEPARATOR.join(names)) for length, names in sorted(by_length.items())
    ]
