"""Reading a world."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, cast

from sandbox.worlds.answers import facts_about
from sandbox.worlds.extras import (
    AnyKind,
    ExtraCount,
    ExtraKind,
    M,
    WrongExtra,
    entries_of,
    wrong_entries,
)
from sandbox.worlds.geo import Point, distance_m, metres_aside
from sandbox.worlds.index import CityIndex
from sandbox.worlds.keywords import read_keywords
from sandbox.worlds.locate import Spot, locate
from sandbox.worlds.pack import READABLE, WITHOUT_EXTRAS, WorldError
from sandbox.worlds.records import City, Climate, Fact, Mode, OpeningHours, Place, PlaceKind, Service, Station
from sandbox.worlds.search import Circle, Hit, PlaceQuery, SearchPage, Sort, find
from sandbox.worlds.text import bare_city, normalise

REGION_RADIUS_M = 3000.0
"""How far from a landmark, station or place a search with that as its region reaches."""

_MAPPED_BYTES = 2**30
_INDEXES_KEPT = 6
_POI_TYPES = {"attraction": "attractions", "restaurant": "food", "hotel": "hotels"}


def open_world(path: Path) -> World:
    """A read-only handle on a pack; cheap, so open one in each thread and process, after a fork.

    Raises:
        WorldError: the file is missing, is no pack, or has another format.
    """
    return World(path)


class World:
    """One open pack. A handle belongs to the thread that opened it (SQLite refuses others); any number may be
    open at once, and a pack that is replaced by rename stays readable through handles opened before.

    City arguments are names as `City.name`, aliases, or either with or without one suffix (市, 区, 县,
    自治州, 地区). A name that is no city of this world gives an empty answer, never an error.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise WorldError(f"there is no world at {path}")
        self._database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        self._database.execute(f"PRAGMA mmap_size={_MAPPED_BYTES}")
        try:
            self._meta: dict[str, str] = dict(self._database.execute("SELECT key, value FROM meta"))
            rows = self._database.execute("SELECT id, body FROM cities ORDER BY id").fetchall()
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise WorldError(f"{path} is no world: {error}") from error
        if self._meta.get("format") not in READABLE:
            self._database.close()
            given, known = self._meta.get("format"), " and ".join(READABLE)
            raise WorldError(f"{path} has the format {given}, this version reads {known}; import it again")
        self._cities: dict[int, City] = {number: City.model_validate_json(body) for number, body in rows}
        self._numbers = {city.name: number for number, city in self._cities.items()}
        self._indexes: dict[int, CityIndex] = {}
        self._stations: dict[tuple[str, str], tuple[Station, ...]] = {}

    def close(self) -> None:
        """Free the file handle; the world can't be read after."""
        self._database.close()

    @property
    def name(self) -> str:
        """The world's name, as sessions store it."""
        return self._meta["name"]

    @property
    def source(self) -> str:
        """Where its records come from."""
        return self._meta["source"]

    @property
    def note(self) -> str:
        """What a reader should know about them."""
        return self._meta["note"]

    @property
    def pack_hash(self) -> str:
        """The hash of its records (64 hex digits)."""
        return self._meta["hash"]

    @property
    def report(self) -> dict[str, Any]:
        """What the importer said when it finished."""
        return cast("dict[str, Any]", json.loads(self._meta["report"]))

    def cities(self) -> tuple[City, ...]:
        """Every city: destinations first, those with the most places first."""
        return tuple(self._cities.values())

    def city(self, name: str) -> City | None:
        """The city with that name or alias, give or take one suffix."""
        return self._city_names.get(normalise(name)) or self._city_names.get(bare_city(name))

    def places(self, city: str, kind: PlaceKind | None = None) -> Iterator[Place]:
        """The places of a city, best known first."""
        rows = self._database.execute(
            "SELECT body FROM places WHERE city = ? AND kind = coalesce(?, kind) ORDER BY rank",
            (self._number(city), kind),
        )
        return (Place.model_validate_json(body) for (body,) in rows)

    def place(self, id: str) -> Place | None:
        """The place with that id."""
        row = self._database.execute("SELECT body FROM places WHERE id = ?", (id,)).fetchone()
        return Place.model_validate_json(row[0]) if row else None

    def place_named(self, name: str, city: str) -> Place | None:
        """The best known place of exactly that name, but for case, spaces and punctuation."""
        row = self._database.execute(
            "SELECT p.body FROM place_keys k JOIN places p ON p.rank = k.rank"
            " WHERE k.name = ? AND k.city = ? ORDER BY p.rank LIMIT 1",
            (normalise(name), self._number(city)),
        ).fetchone()
        return Place.model_validate_json(row[0]) if row else None

    def search(
        self,
        city: str,
        keywords: str = "",
        *,
        region: str | None = None,
        near: Point | None = None,
        radius_km: float = 5.0,
        price_min: float | None = None,
        price_max: float | None = None,
        sort: Sort = "relevance",
        page: int = 1,
        page_size: int = 10,
    ) -> SearchPage:
        """A page (from 1) of a city's places.

        Every word of `keywords` must be in the name, a category, a dish or the address, or name the kind
        (景点, 美食, 酒店). Relevance: the name is the word; a sight's or landmark's begins with it; name and
        category contain it; a sight's or landmark's name contains it; any name begins with it, contains it;
        category, dish, address; then popularity and rating. `region` is part of an address, else a place or
        station, which means 3 km around it. `near` leaves places within `radius_km`; a `sort` by distance without
        it is by relevance.
        Prices are CNY per person, both ends included; places of unknown price are left out by either bound.
        """
        query = self._query(city, keywords, region, near, radius_km * 1000)
        if query is None:
            return SearchPage(0, ())
        query = replace(query, price_min=price_min, price_max=price_max, sort=sort)
        index = self._index(city)
        total, first = find(index, query, page * page_size)
        places = self._places_numbered(index, first[(page - 1) * page_size :])
        return SearchPage(total, tuple(_hit(place, near) for place in places))

    def search_along(
        self, city: str, keywords: str, line: tuple[Point, ...], within_m: float, limit: int
    ) -> tuple[Hit, ...]:
        """Places of a city for which one has to go at most `within_m` aside of a line of two or more points
        (`metres_aside`), most relevant first, with these metres.
        """
        middle = _midpoint(line[0], line[-1])
        reach = within_m + max(
            distance_m(middle, _midpoint(start, end)) + distance_m(start, end) / 2
            for start, end in pairwise(line)
        )
        query = self._query(city, keywords, None, middle, reach * 1.001)
        if query is None:
            return ()
        index = self._index(city)
        _, numbers = find(index, query, index.size)
        points = zip(index.columns.longitudes[numbers], index.columns.latitudes[numbers], strict=True)
        away = (metres_aside((float(east), float(north)), line) for east, north in points)
        beside = (
            (number, metres) for number, metres in zip(numbers, away, strict=True) if metres <= within_m
        )
        places = dict(islice(beside, min(limit, len(numbers))))
        return tuple(map(Hit, self._places_numbered(index, [*places]), map(round, places.values())))

    def stations(self, city: str, kind: str) -> tuple[Station, ...]:
        """The stations of a city: kind train, airport or metro."""
        known = self.city(city)
        if known is None:
            return ()
        key = (known.name, kind)
        if key not in self._stations:
            rows = self._database.execute(
                "SELECT body FROM stations WHERE city = ? AND kind = ? ORDER BY name, body",
                (self._numbers[known.name], kind),
            )
            self._stations[key] = tuple(Station.model_validate_json(body) for (body,) in rows)
        return self._stations[key]

    def services(
        self, origin_city: str, destination_city: str, mode: Mode | None = None
    ) -> tuple[Service, ...]:
        """Direct services from one city to another, by time of departure."""
        rows = self._database.execute(
            "SELECT body FROM services WHERE origin = ? AND destination = ? AND mode = coalesce(?, mode)"
            " ORDER BY depart, number, body",
            (self._number(origin_city), self._number(destination_city), mode),
        )
        return tuple(Service.model_validate_json(body) for (body,) in rows)

    def serves(self, origin_city: str, destination_city: str) -> bool:
        """Whether there is a direct service from one city to another."""
        cities = self._number(origin_city), self._number(destination_city)
        row = self._database.execute(
            "SELECT 1 FROM services WHERE origin = ? AND destination = ? LIMIT 1", cities
        ).fetchone()
        return row is not None

    def climate(self, city: str, month: int) -> Climate | None:
        """A city's usual weather in a month (1 to 12)."""
        row = self._database.execute(
            "SELECT body FROM climates WHERE city = ? AND month = ?", (self._number(city), month)
        ).fetchone()
        return Climate.model_validate_json(row[0]) if row else None

    def facts(self, query: str, limit: int = 5) -> tuple[Fact, ...]:
        """Facts that a question is about, best first; none where no fact shares its subject."""
        return facts_about(self._database, query, limit, self._numbers)

    def locate(self, text: str, city: str | None = None) -> Spot | None:
        """Where a text is: a coordinate "lon,lat", a city, a place or a station; the exact name first,
        then one that contains the text. `city` narrows all but coordinates and cities.
        """
        return locate(self, self._database, text, city)

    def extra(self, kind: ExtraKind[M], key: str) -> tuple[M, ...]:
        """What was kept beside the records under a key, in the order in which it came in; () for nothing.

        Raises:
            WorldError: an entry is not of the kind's model.
        """
        return tuple(entries_of(self._database, kind, key)) if self._keeps_extras else ()

    def extra_counts(self) -> tuple[ExtraCount, ...]:
        """How many extras there are, by owner and kind; of kinds that this version does not know too."""
        return tuple(ExtraCount(*row) for row in json.loads(self._meta.get("extras", "[]")))

    def wrong_extras(self, kind: AnyKind) -> tuple[WrongExtra, ...]:
        """The extras of a kind that `extra` can't read."""
        return tuple(wrong_entries(self._database, kind)) if self._keeps_extras else ()

    def catalogue(self) -> dict[str, list[dict[str, Any]]]:
        """The published POI catalogue: by city, `{name, custom_category, poi_type, opening_hours}` each."""
        return {
            city.name: [
                _catalogue_entry(place) for place in self.places(city.name) if place.kind in _POI_TYPES
            ]
            for city in self.cities()
            if city.destination
        }

    @property
    def _keeps_extras(self) -> bool:
        return self._meta["format"] not in WITHOUT_EXTRAS

    @cached_property
    def _city_names(self) -> dict[str, City]:
        names: dict[str, City] = {}
        for key in (normalise, bare_city):
            for city in self._cities.values():
                for name in (city.name, *city.aliases):
                    names.setdefault(key(name), city)
        return names

    def _index(self, city: str) -> CityIndex:
        """The index of a city; the last few stay in memory, some 45 bytes a place."""
        number = self._number(city)
        index = self._indexes.pop(number, None) or CityIndex(self._database, number)
        self._indexes[number] = index
        if len(self._indexes) > _INDEXES_KEPT:
            del self._indexes[next(iter(self._indexes))]
        return index

    def _number(self, city: str) -> int:
        known = self.city(city)
        return self._numbers[known.name] if known else 0

    def _query(
        self, city: str, keywords: str, region: str | None, near: Point | None, radius_m: float
    ) -> PlaceQuery | None:
        """None where the city or the region is not in this world."""
        known = self.city(city)
        if known is None:
            return None
        words = read_keywords(keywords, (known.name, bare_city(known.name), *known.aliases))
        circle = Circle(near, radius_m) if near else None
        key = normalise(region or "")
        if not key or self.city(region or "") == known:
            return PlaceQuery(words, near=circle)
        if self._index(known.name).containing("address", key).size:
            return PlaceQuery(words, region=key, near=circle)
        spot = self.locate(region or "", known.name)
        around = Circle(spot.point, REGION_RADIUS_M) if spot and spot.city == known.name else None
        return PlaceQuery(words, near=circle, circle=around) if around else None

    def _places_numbered(self, index: CityIndex, numbers: list[int]) -> list[Place]:
        """The places of a city with these numbers, in their order."""
        ranks = [index.base + number for number in numbers]
        rows = self._database.execute(
            f"SELECT rank, body FROM places WHERE rank IN ({', '.join('?' * len(ranks))})", ranks
        )
        bodies: dict[int, str] = dict(rows.fetchall())
        return [Place.model_validate_json(bodies[rank]) for rank in ranks]


def _midpoint(one: Point, other: Point) -> Point:
    return ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)


def _hit(place: Place, near: Point | None) -> Hit:
    away = distance_m(near, (place.longitude, place.latitude)) if near else None
    return Hit(place, None if away is None else round(away))


def _catalogue_entry(place: Place) -> dict[str, Any]:
    return {
        "name": place.name,
        "custom_category": place.category,
        "poi_type": _POI_TYPES[place.kind],
        "opening_hours": published_hours(place.opening_hours),
    }


def published_hours(hours: OpeningHours | None) -> dict[str, Any] | None:
    """Opening hours as the published catalogue writes them: absent ranges and needless rules are left out."""
    if hours is None:
        return None
    if hours.always_open:
        return {"always_open": True}
    return hours.model_dump(mode="json", exclude_none=True)
