"""The search index of one city: posting lists of grams, and the columns that searches filter and sort by.

Places of a city are numbered from 0, best known first; every list here is in that order, so that the order of
numbers is the order of relevance. A gram is listed by place, which is all that a text of one gram asks, and by
occurrence, the place and the position in its text in one integer, by which longer texts are pieced together.
Lists are stored as little-endian numbers and read as they lie: a search handles some ten thousand of them, which
as rows of a table would take a hundred times as long.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from math import nan
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.worlds.records import Place, PlaceKind
from sandbox.worlds.text import join_keys, normalise, one_and_two_grams

Field = Literal["name", "categories", "dishes", "address"]
FIELDS: tuple[Field, ...] = get_args(Field)
_POSITION_BITS = 10
_LAST_POSITION = (1 << _POSITION_BITS) - 1
"""Texts are indexed up to here, which leaves 22 bits for the places of a city."""

KIND_CODES: dict[PlaceKind, int] = {kind: code for code, kind in enumerate(get_args(PlaceKind))}

Numbers: TypeAlias = NDArray[np.integer[Any]]
"""Numbers of places, ascending, where nothing else is said; a match may be there twice."""
Figures: TypeAlias = NDArray[np.float64]

_KIND_TYPE, _LIST_TYPE = "u1", "<u4"
_COLUMN_TYPES = ("<f8", "<f8", "<f8", "<f8", "<f8", _LIST_TYPE)
_NONE: Numbers = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True)
class Columns:
    """By number of place: CNY a person, rating (both not a number where unknown), degrees; and the latitudes in
    ascending order with the numbers of their places. Stored in this order.
    """

    prices: Figures
    ratings: Figures
    longitudes: Figures
    latitudes: Figures
    sorted_latitudes: Figures
    by_latitude: Numbers

    def between_latitudes(self, south: float, north: float) -> Numbers:
        """The places between two latitudes."""
        start = np.searchsorted(self.sorted_latitudes, south, side="left")
        end = np.searchsorted(self.sorted_latitudes, north, side="right")
        return np.sort(self.by_latitude[start:end]).astype(np.intp)


@dataclass(frozen=True, slots=True)
class Matches:
    """The places with a text in their names, those whose names begin with it, and those that have it elsewhere."""

    by_name: Numbers
    beginning: Numbers
    by_field: dict[Field, Numbers]


_COLUMNS = ", ".join(field.name for field in fields(Columns))


class IndexWriter:
    """Gathers one city's places, in order, and writes their index."""

    def __init__(self, database: sqlite3.Connection, city: int) -> None:
        self._database, self._city, self._base = database, city, 0
        self._figures: list[tuple[float, ...]] = []
        self._postings: dict[tuple[str, int], array[int]] = defaultdict(lambda: array("I"))

    def add(self, rank: int, place: Place) -> None:
        """Number a place and take in its names and figures. Ranks count on by one."""
        number = len(self._figures)
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
        price, rating = (nan if value is None else value for value in (place.price, place.rating))
        self._figures.append((KIND_CODES[place.kind], price, rating, place.longitude, place.latitude))

    def finish(self) -> None:
        """Write what was gathered."""
        lists = ((key, np.asarray(postings)) for key, postings in sorted(self._postings.items()))
        rows = (
            (self._city, *key, _pack(np.unique(postings >> _POSITION_BITS)), _pack(postings))
            for key, postings in lists
        )
        self._database.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", rows)
        figures = [*zip(*self._figures, strict=True)]
        latitudes = np.array(figures[-1])
        by_latitude = np.argsort(latitudes, kind="stable")
        columns: tuple[ArrayLike, ...] = (*figures, latitudes[by_latitude], by_latitude)
        self._database.execute(
            "INSERT INTO city_columns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self._city, self._base, *map(_pack, columns, (_KIND_TYPE, *_COLUMN_TYPES))),
        )


class CityIndex:
    """One city's index, opened for reading. A number plus `base` is a place's rank in the pack."""

    def __init__(self, database: sqlite3.Connection, city: int) -> None:
        self._database, self._city = database, city
        row = database.execute("SELECT base FROM city_columns WHERE city = ?", (city,)).fetchone()
        self.base: int = row[0] if row else 0

    @cached_property
    def kinds(self) -> Numbers:
        """The code of each place's kind, a byte a place."""
        return np.frombuffer(self._stored_columns("kinds")[0], _KIND_TYPE)

    @cached_property
    def columns(self) -> Columns:
        """Read at the first use, some 44 bytes a place."""
        return Columns(*map(np.frombuffer, self._stored_columns(_COLUMNS), _COLUMN_TYPES))

    @property
    def size(self) -> int:
        """How many places the city has."""
        return len(self.kinds)

    def matches(self, text: str) -> Matches:
        """Where a normalised text is found."""
        if len(text) <= 2:
            postings = self._postings("iif(field = 0, occurrences, places)", text)
            names, elsewhere = postings.pop("name", _NONE), postings
        else:
            postings = self._starts(text)
            names = postings.pop("name", _NONE)
            elsewhere = {field: starts >> _POSITION_BITS for field, starts in postings.items()}
        beginning = names[names & _LAST_POSITION == 0]
        return Matches(names >> _POSITION_BITS, beginning >> _POSITION_BITS, elsewhere)

    def containing(self, field: Field, text: str) -> Numbers:
        """The places of which a field contains a normalised text."""
        if len(text) <= 2:
            return self._postings("places", text, field).get(field, _NONE)
        return self._starts(text, field).get(field, _NONE) >> _POSITION_BITS

    def names_equal(self, text: str) -> list[int]:
        """The places whose normalised name is the text and no more."""
        rows = self._database.execute(
            "SELECT rank - ? FROM place_keys WHERE city = ? AND name = ?", (self.base, self._city, text)
        )
        return [number for (number,) in rows]

    def _stored_columns(self, columns: str) -> tuple[bytes, ...]:
        """Columns of the city; nothing in them where it has no places."""
        row: tuple[bytes, ...] | None = self._database.execute(
            f"SELECT {columns} FROM city_columns WHERE city = ?", (self._city,)
        ).fetchone()
        return row or (b"",) * len(_COLUMN_TYPES)

    def _starts(self, text: str, field: Field | None = None) -> dict[Field, Numbers]:
        """Where a text of several grams begins: the occurrences of its first that the others follow."""
        lists: dict[Field, list[tuple[int, Numbers]]] = {each: [] for each in FIELDS}
        for step in (*range(0, len(text) - 2, 2), len(text) - 2):
            postings = self._postings("occurrences", text[step : step + 2], field)
            lists = {each: [*lists[each], (step, postings[each])] for each in lists if each in postings}
            if not lists:
                break
        return {each: _in_line(postings) for each, postings in lists.items()}

    def _postings(self, what: str, gram: str, field: Field | None = None) -> dict[Field, Numbers]:
        """The lists of a gram, `what` being SQL that chooses one, in one field or all that have it."""
        rows = self._database.execute(
            f"SELECT field, {what} FROM postings WHERE city = ? AND gram = ? AND field = coalesce(?, field)",
            (self._city, gram, None if field is None else FIELDS.index(field)),
        )
        return {FIELDS[code]: np.frombuffer(packed, _LIST_TYPE).astype(np.intp) for code, packed in rows}


def _in_line(lists: Sequence[tuple[int, Numbers]]) -> Numbers:
    """Which occurrences are in all lists, each list being of grams so many positions further on."""
    (shift, shortest), *others = sorted(lists, key=lambda pair: len(pair[1]))
    starts = shortest - shift
    for step, occurrences in others:
        wanted = starts + step
        nearest = occurrences.searchsorted(wanted)
        starts = starts[occurrences.take(nearest, mode="clip") == wanted]
    return starts


def _pack(values: ArrayLike, kind: str = _LIST_TYPE) -> bytes:
    return np.asarray(values, kind).tobytes()
