"""Finding places in a pack: full text by grams, distance by boxes, one page at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Any, Literal

from sandbox.worlds.geo import METRES_PER_DEGREE, Point
from sandbox.worlds.keywords import Keywords, Reading
from sandbox.worlds.records import Place
from sandbox.worlds.text import query_grams

Sort = Literal["relevance", "distance", "rating", "price_low", "price_high"]

NO_MATCH = 9
"""Above every tier of relevance: name is, begins with, contains; category, dish, address contains."""

_MAX_OFFSET = 2**31


@dataclass(frozen=True, slots=True)
class Hit:
    """A place found; `distance_m` from the point that was asked about, None where there was none."""

    place: Place
    distance_m: int | None = None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of a search and the number of matches over all pages."""

    total: int
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Circle:
    """Places within `radius_m` metres of `centre`."""

    centre: Point
    radius_m: float

    def squared_distance(self, name: str) -> tuple[str, dict[str, float]]:
        """SQL for squared metres from the centre, and its parameters, all beginning with `name`.

        SQLite may lack cos(), so the scale of a degree of longitude is linear in latitude about the centre:
        within 1e-4 of the great circle at 100 km.
        """
        longitude, latitude = self.centre
        sql = (
            f"((k.lon - :{name}_lon) * (:{name}_cos - :{name}_sin * (k.lat - :{name}_lat)))"
            f" * ((k.lon - :{name}_lon) * (:{name}_cos - :{name}_sin * (k.lat - :{name}_lat)))"
            f" + ((k.lat - :{name}_lat) * :{name}_metres) * ((k.lat - :{name}_lat) * :{name}_metres)"
        )
        return sql, {
            f"{name}_lon": longitude,
            f"{name}_lat": latitude,
            f"{name}_cos": METRES_PER_DEGREE * cos(radians(latitude)),
            f"{name}_sin": METRES_PER_DEGREE * sin(radians(latitude)) * radians(1) / 2,
            f"{name}_metres": METRES_PER_DEGREE,
        }

    def box(self) -> tuple[float, float, float, float]:
        """(west, east, south, north) around the circle, a little too large."""
        high = self.radius_m / METRES_PER_DEGREE * 1.01 + 1e-5
        wide = high / max(0.01, cos(radians(min(89.0, abs(self.centre[1]) + high))))
        longitude, latitude = self.centre
        return longitude - wide, longitude + wide, latitude - high, latitude + high


@dataclass(frozen=True, slots=True)
class PlaceQuery:
    """What to find in one city, given by its number in the pack; every filter must hold."""

    city: int
    keywords: Keywords
    region: str = ""
    near: Circle | None = None
    within: Circle | None = None
    price_min: float | None = None
    price_max: float | None = None
    sort: Sort = "relevance"


@dataclass(slots=True)
class _Sql:
    """A statement under construction."""

    source: str
    conditions: list[str] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    tier: str = "0"
    squared: str = "NULL"

    def bind(self, prefix: str, value: Any) -> str:
        name = f"{prefix}{len(self.parameters)}"
        self.parameters[name] = value
        return f":{name}"

    def statement(self, columns: str, tail: str = "") -> str:
        return f"SELECT {columns} FROM {self.source} WHERE {' AND '.join(self.conditions)} {tail}"


def count_and_ranks(
    database: sqlite3.Connection, query: PlaceQuery, offset: int, limit: int
) -> tuple[int, list[int]]:
    """The number of matches, and the ranks of `limit` of them from `offset`, in order."""
    sql = _compile(query)
    if offset >= _MAX_OFFSET:
        total: int = database.execute(sql.statement("count(*)"), sql.parameters).fetchone()[0]
        return total, []
    if sql.tier == "0" and sql.squared == "NULL":
        total = database.execute(sql.statement("count(*)"), sql.parameters).fetchone()[0]
        tail = f"ORDER BY {_order(query, sql)} LIMIT {limit} OFFSET {offset}"
        return total, [rank for (rank,) in database.execute(sql.statement("k.rank", tail), sql.parameters)]
    rows = database.execute(
        sql.statement("k.rank", f"ORDER BY {_order(query, sql)}"), sql.parameters
    ).fetchall()
    return len(rows), [rank for (rank,) in rows[offset : offset + limit]]


def points_matching(database: sqlite3.Connection, query: PlaceQuery) -> list[tuple[int, float, float]]:
    """(rank, longitude, latitude) of every match, most relevant first."""
    sql = _compile(query)
    tail = f"ORDER BY {_order(query, sql)}"
    return database.execute(sql.statement("k.rank, k.lon, k.lat", tail), sql.parameters).fetchall()


def address_exists(database: sqlite3.Connection, city: int, key: str) -> bool:
    """Whether any address of a city contains the normalised text."""
    row = database.execute(
        "SELECT 1 FROM place_grams g CROSS JOIN place_keys k ON k.rank = g.rowid"
        " WHERE place_grams MATCH ? AND instr(k.address, ?) LIMIT 1",
        (_match_any(city, [key]), key),
    ).fetchone()
    return row is not None


def _compile(query: PlaceQuery) -> _Sql:
    circle = query.near or query.within
    words = query.keywords.words
    sql = _Sql(_source(by_grams=bool(words or query.region), by_box=circle is not None))
    sql.conditions.append(f"k.city = {sql.bind('city', query.city)}")
    if query.keywords.kinds:
        kinds = ", ".join(sql.bind("kind", kind) for kind in query.keywords.kinds)
        sql.conditions.append(f"k.kind IN ({kinds})")
    if words or query.region:
        _add_text(sql, query)
    if circle is not None:
        _add_circles(sql, query, boxed=not (words or query.region))
    _add_prices(sql, query)
    return sql


def _source(*, by_grams: bool, by_box: bool) -> str:
    # CROSS JOIN fixes the order: the index that narrows most first, then the keys by row number.
    if by_grams:
        return "place_grams g CROSS JOIN place_keys k ON k.rank = g.rowid"
    if by_box:
        return "place_boxes b CROSS JOIN place_keys k ON k.rank = b.rank"
    return "place_keys k"


def _add_text(sql: _Sql, query: PlaceQuery) -> None:
    clauses = [_match_any(query.city, [reading.text for reading in word]) for word in query.keywords.words]
    if query.region:
        clauses.append(_match_any(query.city, [query.region]))
        region = sql.bind("region", query.region)
        sql.conditions.append(f"(instr(k.address, {region}) OR instr(k.name, {region}))")
    sql.conditions.append(f"place_grams MATCH {sql.bind('match', ' AND '.join(clauses))}")
    tiers = [_word_tier(sql, word) for word in query.keywords.words]
    sql.conditions.extend(f"{tier} < {NO_MATCH}" for tier in tiers)
    if len(tiers) > 1:
        whole = sql.bind("whole", query.keywords.whole)
        tiers.append(f"(k.name != {whole})")
    sql.tier = " + ".join(tiers) or "0"


def _match_any(city: int, texts: Sequence[str]) -> str:
    phrases = (" AND ".join(f'"{city}q{gram}"' for gram in query_grams(text)) for text in texts)
    return "(" + " OR ".join(f"({phrase})" for phrase in dict.fromkeys(phrases)) + ")"


def _word_tier(sql: _Sql, word: Sequence[Reading]) -> str:
    tiers = [_reading_tier(sql, reading) for reading in word]
    return tiers[0] if len(tiers) == 1 else f"min({', '.join(tiers)})"


def _reading_tier(sql: _Sql, reading: Reading) -> str:
    text = sql.bind("text", reading.text)
    other_kind = f"WHEN k.kind != {sql.bind('of', reading.kind)} THEN {NO_MATCH} " if reading.kind else ""
    return (
        f"(CASE {other_kind}WHEN k.name = {text} THEN 0"
        f" WHEN instr(k.name, {text}) = 1 THEN 1 WHEN instr(k.name, {text}) THEN 2"
        f" WHEN instr(k.categories, {text}) THEN 3 WHEN instr(k.dishes, {text}) THEN 4"
        f" WHEN instr(k.address, {text}) THEN 5 ELSE {NO_MATCH} END)"
    )


def _add_circles(sql: _Sql, query: PlaceQuery, *, boxed: bool) -> None:
    for name, circle in (("near", query.near), ("within", query.within)):
        if circle is None:
            continue
        squared, parameters = circle.squared_distance(name)
        sql.parameters.update(parameters)
        sql.conditions.append(f"{squared} <= {sql.bind('radius', circle.radius_m**2)}")
        if name == "near":
            sql.squared = squared
        if boxed:
            _add_box(sql, circle)
            boxed = False


def _add_box(sql: _Sql, circle: Circle) -> None:
    west, east, south, north = (sql.bind("box", edge) for edge in circle.box())
    sql.conditions.append(
        f"b.east >= {west} AND b.west <= {east} AND b.north >= {south} AND b.south <= {north}"
    )


def _add_prices(sql: _Sql, query: PlaceQuery) -> None:
    if query.price_min is not None:
        sql.conditions.append(f"k.price >= {sql.bind('price', query.price_min)}")
    if query.price_max is not None:
        sql.conditions.append(f"k.price <= {sql.bind('price', query.price_max)}")


def _order(query: PlaceQuery, sql: _Sql) -> str:
    match query.sort:
        case "distance":
            return f"{sql.squared}, k.rank"
        case "rating":
            return "k.rating IS NULL, k.rating DESC, k.rank"
        case "price_low":
            return "k.price IS NULL, k.price, k.rank"
        case "price_high":
            return "k.price IS NULL, k.price DESC, k.rank"
        case "relevance":
            return f"{sql.tier}, k.rank" if sql.tier != "0" else "k.rank"
