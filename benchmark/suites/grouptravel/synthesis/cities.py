"""Where tasks may lead and start: the catalogue of cities, and what is known of a world's own (appendix A.9.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import orjson

from benchmark.suites.grouptravel.synthesis.archetypes import DATA
from sandbox.worlds.geo import distance_m
from sandbox.worlds.records import City

_SMALL_PLACE = 1
_ISLANDS = frozenset(("hainan",))
_ACROSS_WATER = frozenset((frozenset(("northeast", "shandong")),))
"""Regions between which the short way leads over the sea."""


class Town(NamedTuple):
    """A city as tasks choose among them.

    weight: 3, 2 or 1 by popularity. region: one of ten, or the province of a city that the catalogue lacks.
    capital: of a province, or a municipality. position: in the catalogue, which goes by popularity.
    """

    name: str
    weight: int
    region: str
    capital: bool
    longitude: float
    latitude: float
    position: int = 10_000

    def km(self, other: Town) -> float:
        """Kilometres as the crow flies."""
        return distance_m((self.longitude, self.latitude), (other.longitude, other.latitude)) / 1000

    def over_land(self, other: Town) -> bool:
        """Whether one can drive from one to the other without crossing the sea."""
        if self.region == other.region:
            return True
        regions = frozenset((self.region, other.region))
        return not regions & _ISLANDS and regions not in _ACROSS_WATER


_DATA: dict[str, Any] = orjson.loads((DATA / "cities.json").read_bytes())
_REGIONS = {code: region["id"] for region in _DATA["regions"] for code in region["province_codes"]}
_CODES: dict[str, str] = {city["name"]: city["adcode"] for city in _DATA["cities"]}


def province_code(city: str) -> str:
    """The first two digits of the code of a city's province; "" of a city that the catalogue lacks."""
    return _CODES.get(city, "")[:2]


DEPARTURES: tuple[str, ...] = tuple(
    city if isinstance(city, str) else city["name"] for city in _DATA["departure_cities"]
)
"""The 31 capitals of provinces and municipalities, and 深圳市."""
_NO_CAPITAL = frozenset(("深圳市",))


def _town_of(position: int, city: dict[str, Any]) -> Town:
    name = city["name"]
    return Town(
        name,
        city["weight"],
        city["region"],
        name in DEPARTURES and name not in _NO_CAPITAL,
        city["lon"],
        city["lat"],
        position,
    )


CATALOGUE: dict[str, Town] = {
    city["name"]: _town_of(position, city) for position, city in enumerate(_DATA["cities"])
}
"""The 155 cities of the catalogue by name, the most popular first."""
_PROVINCES = {city["province"]: city["region"] for city in _DATA["cities"]}


def town_of(city: City) -> Town:
    """What is known of a world's city; one that the catalogue lacks is a small place of its province's region."""
    known = CATALOGUE.get(city.name)
    if known is not None:
        return known
    region = _PROVINCES.get(city.province, city.province or city.name)
    capital = city.name in DEPARTURES and city.name not in _NO_CAPITAL
    return Town(city.name, _SMALL_PLACE, region, capital, city.longitude, city.latitude)


def towns_of(cities: Iterable[City]) -> dict[str, Town]:
    """By name."""
    return {city.name: town_of(city) for city in cities}
