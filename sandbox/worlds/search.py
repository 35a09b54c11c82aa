"""Finding places of a city: by words, around a point, in a range of prices; in order of relevance or otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from math import cos, isnan, radians, sin
from typing import Literal

from sandbox.worlds.geo import METRES_PER_DEGREE, Point
from sandbox.worlds.index import KIND_CODES, CityIndex, Field
from sandbox.worlds.keywords import Keywords, Reading
from sandbox.worlds.records import Place, PlaceKind

Sort = Literal["relevance", "distance", "rating", "price_low", "price_high"]

_NAME_IS, _OWN_NAME_BEGINS, _NAME_AND_CATEGORY, _OWN_NAME, _NAME_BEGINS = 0, 1, 2, 3, 4
_FIELD_TIERS: tuple[tuple[Field, int], ...] = (("address", 8), ("dishes", 7), ("categories", 6), ("name", 5))
_CATEGORY = dict(_FIELD_TIERS)["categories"]
_NAMED_FIRST: tuple[PlaceKind, ...] = ("attraction", "landmark")
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
    within: Circle | None = None
    price_min: float | None = None
    price_max: float | None = None
    sort: Sort = "relevance"


def find(index: CityIndex, query: PlaceQuery) -> list[int]:
    """The numbers of all matching places, in order."""
    tiers = _tiers(index, query.keywords)
    numbers: Iterable[int] = _candidates(index, query) if tiers is None else tiers
    numbers = _of_kinds(index, query.keywords.kinds, numbers)
    if query.region:
        inside = {*index.containing("address", query.region), *index.containing("name", query.region)}
        numbers = [number for number in numbers if number in inside]
    if query.within:
        numbers = squared_distances(index, query.within, numbers)
    distances: dict[int, float] = {}
    if query.near:
        numbers = distances = squared_distances(index, query.near, numbers)
    return _ordered(index, query.sort, _in_price_range(index, query, numbers), tiers or {}, distances)


def squared_distances(index: CityIndex, circle: Circle, numbers: Iterable[int]) -> dict[int, float]:
    """Squared metres from the centre, for those of the places that lie in the circle.

    The scale of a degree of longitude is taken as linear in latitude: within 1e-4 of the great circle at 100 km.
    """
    longitude, latitude = circle.centre
    scale = METRES_PER_DEGREE * cos(radians(latitude))
    slope = METRES_PER_DEGREE * sin(radians(latitude)) * radians(1) / 2
    longitudes, latitudes, limit = (
        index.columns.longitudes,
        index.columns.latitudes,
        circle.radius_m * circle.radius_m,
    )
    found = {}
    for number in numbers:
        north = latitudes[number] - latitude
        east = (longitudes[number] - longitude) * (scale - slope * north)
        squared = east * east + north * north * METRES_PER_DEGREE**2
        if squared <= limit:
            found[number] = squared
    return found


def _candidates(index: CityIndex, query: PlaceQuery) -> Iterable[int]:
    """Without words: the places of the band of latitude of a circle, else all."""
    circle = query.near or query.within
    if circle is None:
        return range(index.size)
    reach = circle.radius_m / METRES_PER_DEGREE * 1.001
    return index.columns.between(circle.centre[1] - reach, circle.centre[1] + reach)


def _tiers(index: CityIndex, keywords: Keywords) -> dict[int, int] | None:
    """How well each match fits, 0 best; None where no words were given, so that all places match alike."""
    if not keywords.words:
        return None
    tiers, *others = (_word_tiers(index, word) for word in keywords.words)
    for other in others:
        tiers = {number: tiers[number] + other[number] for number in tiers.keys() & other.keys()}
    if others:
        tiers.update(dict.fromkeys(index.names_equal(keywords.whole), _NAME_IS))
    return tiers


def _word_tiers(index: CityIndex, word: Sequence[Reading]) -> dict[int, int]:
    """By the first reading that matches: the word as it stands comes before what it may mean."""
    tiers: dict[int, int] = {}
    for reading in reversed(word):
        tiers.update(_reading_tiers(index, reading))
    return tiers


def _reading_tiers(index: CityIndex, reading: Reading) -> dict[int, int]:
    tiers: dict[int, int] = {}
    for field, tier in _FIELD_TIERS:
        found = list(index.containing(field, reading.text))
        better = _better_named(index, reading.text, found, tiers) if field == "name" else {}
        tiers.update(dict.fromkeys(found, tier) | better)
    tiers.update(dict.fromkeys(index.names_equal(reading.text), _NAME_IS))
    if reading.kind is None:
        return tiers
    return {number: tiers[number] for number in _of_kinds(index, (reading.kind,), tiers)}


def _better_named(index: CityIndex, text: str, named: list[int], tiers: dict[int, int]) -> dict[int, int]:
    """Of the places named with the word those that are likelier meant: sights, what has it as category too, and
    what begins with it.
    """
    beginning = list(index.names_beginning(text))
    of_category = (number for number in named if tiers.get(number) == _CATEGORY)
    return (
        dict.fromkeys(beginning, _NAME_BEGINS)
        | dict.fromkeys(_of_kinds(index, _NAMED_FIRST, named), _OWN_NAME)
        | dict.fromkeys(of_category, _NAME_AND_CATEGORY)
        | dict.fromkeys(_of_kinds(index, _NAMED_FIRST, beginning), _OWN_NAME_BEGINS)
    )


def _of_kinds(index: CityIndex, kinds: Sequence[PlaceKind], numbers: Iterable[int]) -> Iterable[int]:
    if not kinds:
        return numbers
    codes, numbers = {KIND_CODES[kind] for kind in kinds}, list(numbers)
    return list(compress(numbers, map(codes.__contains__, map(index.columns.kinds.__getitem__, numbers))))


def _in_price_range(index: CityIndex, query: PlaceQuery, numbers: Iterable[int]) -> Iterable[int]:
    """An unknown price is not a number, which no bound lets through."""
    prices, low, high = index.columns.prices, query.price_min, query.price_max
    if low is not None:
        numbers = [number for number in numbers if prices[number] >= low]
    if high is not None:
        numbers = [number for number in numbers if prices[number] <= high]
    return numbers


def _ordered(
    index: CityIndex, sort: Sort, numbers: Iterable[int], tiers: dict[int, int], distances: dict[int, float]
) -> list[int]:
    """Sorted by what was asked, unknown values last; then by relevance."""
    ordered = sorted(numbers)
    if tiers:
        ordered.sort(key=tiers.__getitem__)
    match sort:
        case "distance":
            ordered.sort(key=distances.__getitem__)
        case "rating":
            ordered = _by_value(index.columns.ratings, ordered, descending=True)
        case "price_low":
            ordered = _by_value(index.columns.prices, ordered, descending=False)
        case "price_high":
            ordered = _by_value(index.columns.prices, ordered, descending=True)
        case "relevance":
            pass
    return ordered


def _by_value(column: Sequence[float], numbers: list[int], *, descending: bool) -> list[int]:
    unknown = list(compress(numbers, map(isnan, map(column.__getitem__, numbers))))
    without = set(unknown)
    known = [number for number in numbers if number not in without] if without else numbers
    return sorted(known, key=column.__getitem__, reverse=descending) + unknown
