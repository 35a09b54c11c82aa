"""The search index of one city: posting lists of grams, and the columns that searches filter and sort by.

Places of a city are numbered from 0, best known first; every list here is in that order, so that the order of
numbers is the order of relevance. A gram is listed by place, which is all that a text of one gram asks, and by
occurrence, the place and the position in its text in one integer, by which longer texts are pieced together.
Lists are stored as arrays of little-endian numbers: a search handles some ten thousand of them, which as rows of
a table would take ten times as long.
"""

from __future__ import annotations

import sqlite3
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from typing import Any, Literal, get_args

from sandbox.worlds.records import Place, PlaceKind
from sandbox.worlds.text import join_keys, normalise, one_and_two_grams

Field = Literal["name", "categories", "dishes", "address"]
FIELDS: tuple[Field, ...] = get_args(Field)
_POSITION_BITS = 10
_LAST_POSITION = (1 << _POSITION_BITS) - 1
"""Texts are indexed up to here, which leaves 22 bits for the places of a city."""

KIND_CODES: dict[PlaceKind, int] = {kind: code for code, kind in enumerate(get_args(PlaceKind))}


@dataclass(slots=True)
class Columns:
    """By number of place: code of the kind, CNY a person, rating (both not a number where unknown), degrees; and
    the latitudes in ascending order with the numbers of their places.
    """

    kinds: array[int] = field(default_factory=lambda: array("B"))
    prices: array[float] = field(default_factory=lambda: array("d"))
    ratings: array[float] = field(default_factory=lambda: array("d"))
    longitudes: array[float] = field(default_factory=lambda: array("d"))
    latitudes: array[float] = field(default_factory=lambda: array("d"))
    sorted_latitudes: array[float] = field(default_factory=lambda: array("d"))
    by_latitude: array[int] = field(default_factory=lambda: array("I"))

    def arrays(self) -> tuple[array[Any], ...]:
        """In the order in which they are stored."""
        return (
            self.kinds, self.prices, self.ratings, self.longitudes, self.latitudes, self.sorted_latitudes,
            self.by_latitude,
        )  # fmt: skip

    def between(self, south: float, north: float) -> array[int]:
        """The numbers of the places between two latitudes."""
        start, end = bisect_left(self.sorted_latitudes, south), bisect_right(self.sorted_latitudes, north)
        return self.by_latitude[start:end]


class IndexWriter:
    """Gathers one city's places, in order, and writes their index."""

    def __init__(self, database: sqlite3.Connection, city: int) -> None:
        self._database, self._city, self._base = database, city, 0
        self._columns = Columns()
        self._postings: dict[tuple[str, int], array[int]] = defaultdict(lambda: array("I"))

    def add(self, rank: int, place: Place) -> None:
        """Number a place and take in its names and figures. Ranks count on by one."""
        number = len(self._columns.kinds)
        self._base = rank - number
        keys = (
            normalise(place.name),
            join_keys(dict.fromkeys((place.category, *place.categories))),
            join_keys(place.dishes),
            normalise(place.address),
        )
        self._database.execute("INSERT INTO place_keys VALUES (?, ?, ?)", (rank, self._city, keys[0]))
        for code, key in enumerate(keys):
            for position, gram in one_and_two_grams(key[:_LAST_POSITION]):
                self._postings[gram, code].append(number << _POSITION_BITS | position)
        columns = self._columns
        columns.kinds.append(KIND_CODES[place.kind])
        columns.prices.append(nan if place.price is None else place.price)
        columns.ratings.append(nan if place.rating is None else place.rating)
        columns.longitudes.append(place.longitude)
        columns.latitudes.append(place.latitude)

    def finish(self) -> None:
        """Write what was gathered."""
        latitudes = self._columns.latitudes
        by_latitude = sorted(range(len(latitudes)), key=latitudes.__getitem__)
        self._columns.by_latitude.extend(by_latitude)
        self._columns.sorted_latitudes.extend(latitudes[number] for number in by_latitude)
        self._database.executemany(
            "INSERT INTO postings VALUES (?, ?, ?, ?, ?)",
            (
                (self._city, *key, _packed(_places(occurrences)), _packed(occurrences))
                for key, occurrences in sorted(self._postings.items())
            ),
        )
        self._database.execute(
            "INSERT INTO city_columns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self._city, self._base, *map(_packed, self._columns.arrays())),
        )


class CityIndex:
    """One city's index, opened for reading. A number plus `base` is a place's rank in the pack."""

    def __init__(self, database: sqlite3.Connection, city: int) -> None:
        self._database, self._city = database, city
        row = database.execute("SELECT base FROM city_columns WHERE city = ?", (city,)).fetchone()
        self.base: int = row[0] if row else 0

    @cached_property
    def columns(self) -> Columns:
        """Read at the first use, some 45 bytes a place."""
        columns = Columns()
        row = self._database.execute("SELECT * FROM city_columns WHERE city = ?", (self._city,)).fetchone()
        for values, packed in zip(columns.arrays(), row[2:] if row else (), strict=False):
            _unpack(values, packed)
        return columns

    @property
    def size(self) -> int:
        """How many places the city has."""
        return len(self.columns.kinds)

    def containing(self, field: Field, text: str) -> Collection[int]:
        """The numbers of the places of which a field contains a normalised text."""
        if len(text) <= 2:
            return self._posting("places", field, text)
        steps = [*range(0, len(text) - 2, 2), len(text) - 2]
        lists = [(self._posting("occurrences", field, text[step : step + 2]), step) for step in steps]
        shortest, shift = min(lists, key=lambda pair: len(pair[0]))
        found = {occurrence - shift for occurrence in shortest}
        for occurrences, step in lists:
            if found and occurrences is not shortest:
                found.intersection_update(
                    [occurrence - step for occurrence in occurrences] if step else occurrences
                )
        return {occurrence >> _POSITION_BITS for occurrence in found}

    def names_beginning(self, text: str) -> list[int]:
        """The numbers of the places whose names begin with a normalised text."""
        rows = self._database.execute(
            "SELECT rank - ? FROM place_keys WHERE city = ? AND name >= ? AND name < ?",
            (self.base, self._city, text, text + chr(sys.maxunicode)),
        )
        return [number for (number,) in rows]

    def names_equal(self, text: str) -> list[int]:
        """The numbers of the places whose normalised name is the text and no more."""
        rows = self._database.execute(
            "SELECT rank - ? FROM place_keys WHERE city = ? AND name = ?", (self.base, self._city, text)
        )
        return [number for (number,) in rows]

    def _posting(self, column: Literal["places", "occurrences"], field: Field, gram: str) -> array[int]:
        row = self._database.execute(
            f"SELECT {column} FROM postings WHERE city = ? AND gram = ? AND field = ?",
            (self._city, gram, FIELDS.index(field)),
        ).fetchone()
        values = array("I")
        if row:
            _unpack(values, row[0])
        return values


def _places(occurrences: array[int]) -> array[int]:
    """Their places, each once."""
    return array("I", dict.fromkeys(occurrence >> _POSITION_BITS for occurrence in occurrences))


def _packed(values: array[Any]) -> bytes:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _unpack(values: array[Any], packed: bytes) -> None:
    values.frombytes(packed)
    if sys.byteorder == "big":
        values.byteswap()
