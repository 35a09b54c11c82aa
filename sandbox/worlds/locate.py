"""From a text to a point."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from sandbox.worlds.geo import Point, distance_m, parse_point
from sandbox.worlds.index import KIND_CODES, CityIndex, Field
from sandbox.worlds.records import City, Place, Station
from sandbox.worlds.text import bare_city, normalise

if TYPE_CHECKING:
    from sandbox.worlds.reader import World

SpotKind = Literal[
    "attraction", "restaurant", "hotel", "landmark", "city", "train", "airport", "metro", "coordinate"
]

_DISTRICTS = re.compile(r"(?:[^省市区县]{2,7}[省市区县])+(?=..)")
_STATION_SUFFIXES = ("地铁站", "火车站", "高铁站", "站", "国际机场", "机场")
_SUFFIX_KINDS = {
    "地铁站": "metro",
    "火车站": "train",
    "高铁站": "train",
    "国际机场": "airport",
    "机场": "airport",
}
_KIND_ORDER = ("attraction", "landmark", "hotel", "restaurant")
_ORDER_BY_CODE = np.array([_KIND_ORDER.index(kind) for kind in KIND_CODES])


@dataclass(frozen=True, slots=True)
class Spot:
    """A located text. `city` is empty for a coordinate far from every city of the world."""

    name: str
    city: str
    kind: SpotKind
    longitude: float
    latitude: float

    @property
    def point(self) -> Point:
        """(longitude, latitude)."""
        return (self.longitude, self.latitude)


def locate(world: World, database: sqlite3.Connection, text: str, city: str | None) -> Spot | None:
    """See `World.locate`."""
    point = parse_point(text)
    if point is not None:
        return _coordinate(world, text, point)
    named = world.city(text)
    if named is not None:
        return Spot(named.name, named.name, "city", named.longitude, named.latitude)
    cities = _cities(world, city)
    for key in _keys(text, cities):
        spot = _exact(database, key, cities)
        if spot is not None:
            return spot
    for key in _keys(text, cities):
        spot = _containing(database, key, cities)
        if spot is not None:
            return spot
    return None


def _cities(world: World, city: str | None) -> dict[int, City]:
    numbered = dict(enumerate(world.cities(), start=1))
    if city is None:
        return numbered
    known = world.city(city)
    return {number: city for number, city in numbered.items() if city == known}


def _coordinate(world: World, text: str, point: Point) -> Spot:
    away = [(distance_m(point, (city.longitude, city.latitude)), city) for city in world.cities()]
    inside = [(metres, city.name) for metres, city in away if metres <= city.radius_km * 1000]
    return Spot(text.strip(), min(inside)[1] if inside else "", "coordinate", *point)


def _keys(text: str, cities: dict[int, City]) -> Iterator[str]:
    """The text as it is, then without province, city and district before it."""
    key = normalise(text)
    if key:
        yield key
    district = _DISTRICTS.match(key)
    if district:
        yield key[district.end() :]
    for city in cities.values():
        for prefix in dict.fromkeys((normalise(city.name), bare_city(city.name))):
            if key.startswith(prefix) and len(key) > len(prefix) + 1:
                yield key.removeprefix(prefix)


def _exact(database: sqlite3.Connection, key: str, cities: dict[int, City]) -> Spot | None:
    rows = database.execute(
        "SELECT p.body FROM place_keys k JOIN places p ON p.rank = k.rank"
        " WHERE k.name = ? AND k.city IN (SELECT value FROM json_each(?)) ORDER BY k.rank",
        (key, str(list(cities))),
    )
    places = [Place.model_validate_json(body) for (body,) in rows]
    return _best(places) or _station(database, key, cities)


def _best(places: list[Place]) -> Spot | None:
    """Sights and landmarks before hotels and restaurants, which are named after them; then the better known."""
    if not places:
        return None
    place = min(places, key=lambda place: (_KIND_ORDER.index(place.kind), -place.popularity))
    return Spot(place.name, place.city, place.kind, place.longitude, place.latitude)


def _station(database: sqlite3.Connection, key: str, cities: dict[int, City]) -> Spot | None:
    """A station whose name is the key, give or take a word for station."""
    stems = {key, *(key.removesuffix(suffix) for suffix in _STATION_SUFFIXES)} - {""}
    names = sorted({stem + suffix for stem in stems for suffix in ("", *_STATION_SUFFIXES)})
    marks = ", ".join("?" * len(names))
    rows = database.execute(f"SELECT city, body FROM stations WHERE key IN ({marks})", names)
    stations = [Station.model_validate_json(body) for number, body in rows if number in cities]
    stations.sort(key=lambda station: (normalise(station.name) != key, station.kind == "metro", station.name))
    return _at_station(stations[0]) if stations else None


def _containing(database: sqlite3.Connection, key: str, cities: dict[int, City]) -> Spot | None:
    """A place whose name contains the key, else a station's, else the address of a place.

    A text that ends like a station's name means one rather than a hotel named after it.
    """
    if len(key) < 2:
        return None
    station = _station_containing(database, key, cities)
    if station and any(key.endswith(suffix) for suffix in _SUFFIX_KINDS):
        return station
    place = _place_containing(database, "name", key, cities)
    return place or station or _place_containing(database, "address", key, cities)


def _place_containing(
    database: sqlite3.Connection, field: Field, key: str, cities: dict[int, City]
) -> Spot | None:
    return _best([place for number in cities if (place := _best_of_city(database, number, field, key))])


def _best_of_city(database: sqlite3.Connection, city: int, field: Field, key: str) -> Place | None:
    index = CityIndex(database, city)
    numbers = index.containing(field, key)
    if not numbers.size:
        return None
    best = numbers[_ORDER_BY_CODE[index.kinds[numbers]].argmin()]
    row = database.execute("SELECT body FROM places WHERE rank = ?", (index.base + int(best),)).fetchone()
    return Place.model_validate_json(row[0])


def _station_containing(database: sqlite3.Connection, key: str, cities: dict[int, City]) -> Spot | None:
    """萧山机场 is in 杭州萧山国际机场 but for the word between: the stem and the kind of station decide."""
    suffix = next((suffix for suffix in _STATION_SUFFIXES if key.endswith(suffix)), "")
    stem, kind = key.removesuffix(suffix), _SUFFIX_KINDS.get(suffix)
    if len(stem) < 2:
        stem = key
    rows = database.execute(
        "SELECT city, body FROM stations WHERE instr(key, ?) AND kind = coalesce(?, kind)"
        " ORDER BY kind = 'metro', name",
        (stem, kind),
    )
    stations = (Station.model_validate_json(body) for number, body in rows if number in cities)
    return next(map(_at_station, stations), None)


def _at_station(station: Station) -> Spot:
    return Spot(station.name, station.city, station.kind, station.longitude, station.latitude)
