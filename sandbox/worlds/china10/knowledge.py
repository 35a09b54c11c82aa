"""What the import knows beyond its source: the ten cities, stations, airlines, and where strayed rows belong."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from sandbox.worlds.geo import Point
from sandbox.worlds.records import City, Climate

_DATA = Path(__file__).parent.parent / "data"


class SourceCity(BaseModel):
    """A city of the source: `slug` is the name of its folders."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: str
    name: str
    alias: str
    province: str
    longitude: float
    latitude: float
    radius_km: float

    @property
    def record(self) -> City:
        return City(aliases=(self.alias,), **self.model_dump(exclude={"slug", "alias"}))

    @property
    def centre(self) -> Point:
        return self.longitude, self.latitude


class Knowledge(BaseModel):
    """data/china10.json. stations: positions that replace the source's; misplaced: by `fingerprint`.

    run_together: categories that lack their separator.
    hotel_words: words in a hotel's name by the class they tell; hotel_features: the class that a feature tells.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    note: str
    cities: tuple[SourceCity, ...]
    stations: dict[str, Point]
    misplaced: dict[str, Point]
    carriers: dict[str, str]
    run_together: dict[str, tuple[str, ...]]
    hotel_words: dict[str, tuple[str, ...]]
    hotel_features: dict[str, str]

    @cached_property
    def by_slug(self) -> dict[str, SourceCity]:
        return {city.slug: city for city in self.cities}

    @cached_property
    def by_alias(self) -> dict[str, SourceCity]:
        return {city.alias: city for city in self.cities}

    def city_of_station(self, name: str) -> SourceCity:
        """The city whose short name begins the station's. Raises ValueError when there is none."""
        for alias, city in self.by_alias.items():
            if name.startswith(alias):
                return city
        raise ValueError(f"{name!r} is a station of no known city")


def load_knowledge() -> Knowledge:
    """Read data/china10.json."""
    return Knowledge.model_validate_json((_DATA / "china10.json").read_bytes())


def climates(cities: set[str]) -> Iterator[Climate]:
    """The usual months of the named cities, as far as data/climate.json has them."""
    months = TypeAdapter(dict[str, list[dict[str, Any]]]).validate_json((_DATA / "climate.json").read_bytes())
    for city in sorted(cities & set(months)):
        yield from (Climate.model_validate({"city": city, **month}) for month in months[city])


def fingerprint(city: str, name: str, latitude: float, longitude: float) -> str:
    """Names one row of the published edition without repeating it."""
    return hashlib.sha256(f"{city}|{name}|{latitude:.4f}|{longitude:.4f}".encode()).hexdigest()[:16]
