"""Finding places of a city: by words, around a point, in a range of prices; in order of relevance or otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, inf, radians, sin
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sandbox.worlds.geo import METRES_PER_DEGREE, Point
from sandbox.worlds.index import KIND_CODES, CityIndex, Field, Figures, Numbers
from sandbox.worlds.keywords import Keywords, Reading
from sandbox.worlds.records import Place, PlaceKind

Sort = Literal["relevance", "distance", "rating", "price_low", "price_high"]

(
    _NAME_IS, _OWN_NAME_BEGINS, _NAME_AND_CATEGORY, _OWN_NAME, _NAME_BEGINS, _NAME, _CATEGORY, _DISH, _ADDRESS,
) = range(9)  # fmt: skip
_NO_MATCH = 1 << 30
"""Worse than the tiers of any number of words together."""
_FIELD_TIERS: tuple[tuple[Field, int], ...] = (
    ("address", _ADDRESS), ("dishes", _DISH), ("categories", _CATEGORY),
)  # fmt: skip
_REGION_FIELDS: tuple[Field, ...] = ("address", "name")
_NUMBER_BITS = 22
_LAST_NUMBER = (1 << _NUMBER_BITS) - 1
"""A rank is a tier and, in these bits, a number: the lowest is the most relevant."""
_NAMED_FIRST = np.array([kind in ("attraction", "landmark") for kind in KIND_CODES])
"""Kinds that own their names: others, such as a hotel by the 长城, are called after them."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place found; `distance_m` from the point or line that was asked about, None where there was none."""

    place: Place
    distance_m: int | None = None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of a search and the number of matches over all pages."""

    total: int
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Circle:
    """The ground within `radius_m` metres of `centre`."""

    centre: Point
    radius_m: float


@dataclass(frozen=True, slots=True)
class PlaceQuery:
    """What to find in a city; every part must hold. `near` is what a sort by distance counts from."""

    keywords: Keywords
    region: str = ""
    near: Circle | None = None
    circle: Circle | None = None
    price_min: float | None = None
    price_max: float | None = None
    sort: Sort = "relevance"


def find(index: CityIndex, query: PlaceQuery, count: int) -> tuple[int, list[int]]:
    """How many places match, and the numbers of the first `count` of these, in order."""
    tiers = _tiers(index, query.keywords)
    numbers = _candidates(index, query) if tiers is None else np.flatnonzero(tiers < _NO_MATCH)
    numbers = _of_kinds(index, query.keywords.kinds, numbers)
    if query.region:
        numbers = numbers[_in_region(index, query.region)[numbers]]
    for circle in (query.circle, query.near):
        if circle:
            squared = squared_distances(index, circle, numbers)
            numbers = numbers[squared <= circle.radius_m * circle.radius_m]
    numbers = _in_price_range(index, query, numbers)
    ranks = numbers if tiers is None else tiers[numbers] << _NUMBER_BITS | numbers
    first = _first(_values(index, query, numbers), ranks, count)
    return len(numbers), (first & _LAST_NUMBER).tolist()


def squared_distances(index: CityIndex, circle: Circle, numbers: Numbers) -> Figures:
    """Squared metres of each of the places from the centre.

    The scale of a degree of longitude is taken as linear in latitude: within 1e-4 of the great circle at 100 km.
    """
    longitude, latitude = circle.centre
    scale = METRES_PER_DEGREE * cos(radians(latitude))
    slope = METRES_PER_DEGREE * sin(radians(latitude)) * radians(1) / 2
    north = index.columns.latitudes[numbers] - latitude
    east = (index.columns.longitudes[numbers] - longitude) * (scale - slope * north)
    squared: Figures = east * east + north * north * METRES_PER_DEGREE**2
    return squared


def _candidates(index: CityIndex, query: PlaceQuery) -> Numbers:
    """Without words: the places of the band of latitude of a circle, else all."""
    circle = query.near or query.circle
    if circle is None:
        return np.arange(index.size)
    reach = circle.radius_m / METRES_PER_DEGREE * 1.001
    return index.columns.between_latitudes(circle.centre[1] - reach, circle.centre[1] + reach)


def _tiers(index: CityIndex, keywords: Keywords) -> Numbers | None:
    """How well each place fits, 0 best; None where no words were given, so that all places match alike."""
    if not keywords.words:
        return None
    tiers, *others = (_word_tiers(index, word) for word in keywords.words)
    for other in others:
        tiers = np.minimum(tiers + other, _NO_MATCH)
    if others:
        tiers[index.names_equal(keywords.whole)] = _NAME_IS
    return tiers


def _word_tiers(index: CityIndex, word: Sequence[Reading]) -> Numbers:
    """By the first reading that matches: the word as it stands comes before what it may mean."""
    tiers, *others = (_reading_tiers(index, reading) for reading in word)
    for other in others:
        np.copyto(tiers, other, where=tiers == _NO_MATCH)
    return tiers


def _reading_tiers(index: CityIndex, reading: Reading) -> Numbers:
    tiers: Numbers = np.full(index.size, _NO_MATCH)
    matches = index.matches(reading.text)
    for field, tier in _FIELD_TIERS:
        if field in matches.by_field:
            tiers[matches.by_field[field]] = tier
    if matches.by_name.size:
        _grade_names(index, matches.by_name, matches.beginning, tiers)
    tiers[index.names_equal(reading.text)] = _NAME_IS
    if reading.kind:
        tiers[index.kinds != KIND_CODES[reading.kind]] = _NO_MATCH
    return tiers


def _grade_names(index: CityIndex, named: Numbers, beginning: Numbers, tiers: Numbers) -> None:
    """Of the places named with a word those come first that are likelier meant: sights, what has it as category
    too, and what begins with it. Better tiers are written over worse ones.
    """
    owning = _NAMED_FIRST[index.kinds]
    of_category = named[tiers[named] == _CATEGORY]
    tiers[named] = _NAME
    tiers[beginning] = _NAME_BEGINS
    tiers[named[owning[named]]] = _OWN_NAME
    tiers[of_category] = _NAME_AND_CATEGORY
    tiers[beginning[owning[beginning]]] = _OWN_NAME_BEGINS


def _of_kinds(index: CityIndex, kinds: Sequence[PlaceKind], numbers: Numbers) -> Numbers:
    if not kinds:
        return numbers
    wanted = np.array([kind in kinds for kind in KIND_CODES])
    chosen: Numbers = numbers[wanted[index.kinds[numbers]]]
    return chosen


def _in_region(index: CityIndex, region: str) -> NDArray[np.bool_]:
    """By number, whether the address or the name has the region in it."""
    inside = np.zeros(index.size, bool)
    for field in _REGION_FIELDS:
        inside[index.containing(field, region)] = True
    return inside


def _in_price_range(index: CityIndex, query: PlaceQuery, numbers: Numbers) -> Numbers:
    """An unknown price is not a number, which no bound lets through."""
    if query.price_min is not None:
        numbers = numbers[index.columns.prices[numbers] >= query.price_min]
    if query.price_max is not None:
        numbers = numbers[index.columns.prices[numbers] <= query.price_max]
    return numbers


def _values(index: CityIndex, query: PlaceQuery, numbers: Numbers) -> Figures | None:
    """What comes before relevance in the order asked for, lowest first, unknown last; None for nothing."""
    match query.sort:
        case "distance" if query.near:
            return squared_distances(index, query.near, numbers)
        case "rating":
            values = -index.columns.ratings[numbers]
        case "price_low":
            values = index.columns.prices[numbers]
        case "price_high":
            values = -index.columns.prices[numbers]
        case _:
            return None
    return np.where(np.isnan(values), inf, values)


def _first(values: Figures | None, ranks: Numbers, count: int) -> Numbers:
    """The first `count` ranks, by value where there are values, then by themselves."""
    if values is None:
        return np.sort(np.partition(ranks, count - 1)[:count] if count < len(ranks) else ranks)
    if count < len(ranks):
        kept = values <= np.partition(values, count - 1)[count - 1]
        values, ranks = values[kept], ranks[kept]
    return ranks[np.lexsort((ranks, values))[:count]]
