"""Whether two calls ask for the same thing: the same city, address, day or kind of place.

Two names that only resemble each other (上海, 上海站) are two things. Where that can't be told, they are two as well:
an answer about something else is worse than none.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from sandbox.worlds.geo import Point, distance_m, parse_point
from sandbox.worlds.keywords import Reading, read_keywords
from sandbox.worlds.text import bare_name, normalise

SAME_POINT_M = 10.0
"""Two coordinates no farther apart are one place, written with more or fewer decimals."""

_DATE = re.compile(r"\s*(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?\s*", re.ASCII)
_COMPACT_DATE = re.compile(r"\s*(\d{4})(\d{2})(\d{2})\s*", re.ASCII)

Kind = frozenset[object]


def text_of(value: object) -> str:
    """A cached argument as text: other people's caches hold any type."""
    return value if isinstance(value, str) else ""


def same_city(one: object, other: object) -> bool:
    """Whether two names mean one city: 上海 and 上海市 do, 朝阳 and 朝阳区 don't, nor do two that are empty."""
    first, second = bare_name(text_of(one)), bare_name(text_of(other))
    return first == second != ""


def same_place(one: object, city: object, other: object, other_city: object) -> bool:
    """Whether two texts, each within its city where one is given, name one place or one coordinate.

    A name without a city is the same as one within a city only where it begins with that city: 南京人民广场, not
    人民广场. A name and a coordinate are never the same.
    """
    points = point_of(one), point_of(other)
    if points[0] and points[1]:
        return distance_m(points[0], points[1]) <= SAME_POINT_M
    if points[0] or points[1] or not _cities_agree(city, other_city):
        return False
    within = text_of(city) or text_of(other_city)
    if within and not (_is_in(one, city, within) and _is_in(other, other_city, within)):
        return False
    stems = _stem(text_of(one), within), _stem(text_of(other), within)
    return stems[0] == stems[1]


def point_of(value: object) -> Point | None:
    """The point that a text "lon,lat" names."""
    return parse_point(value) if isinstance(value, str) else None


def day_of(value: object) -> date | None:
    """The day that a text names in one of the usual forms: 2026-05-01, 2026/5/1, 2026年5月1日, 20260501."""
    match = _DATE.fullmatch(text_of(value)) or _COMPACT_DATE.fullmatch(text_of(value))
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def same_day(one: object, other: object) -> bool:
    """Whether two texts name one day, in whatever form."""
    first = day_of(one)
    return first is not None and first == day_of(other)


def kind_of(keywords: object, city: object) -> Kind:
    """What a search is for, whatever the order of its words and whether or not they repeat city or kind."""
    name = text_of(city)
    read = read_keywords(text_of(keywords), (name, bare_name(name)))
    return frozenset((*read.kinds, *(_shortest(word) for word in read.words)))


def terms_of(keywords: object, city: object) -> tuple[str, ...]:
    """What a search by one word may mean, the whole word first: 火锅店 and 火锅; the kind for 景点.

    Nothing where it asks for more than one thing.
    """
    name = text_of(city)
    read = read_keywords(text_of(keywords), (name, bare_name(name)))
    if len(read.kinds) + len(read.words) != 1:
        return ()
    if read.kinds:
        return read.kinds
    return tuple(
        dict.fromkeys(sorted((each.text for each in read.words[0] if each.text), key=len, reverse=True))
    )


def same_kind(one: object, city: object, other: object, other_city: object) -> bool:
    """Whether two searches are for the same kind of place: 火锅 and 火锅店 are, 咖啡 and 火锅 are not."""
    first = kind_of(one, city)
    return bool(first) and first == kind_of(other, other_city)


def same_words(one: Any, other: Any) -> bool:
    """Whether two texts hold the same letters and digits; two absent ones do."""
    return normalise(text_of(one)) == normalise(text_of(other))


def _cities_agree(one: object, other: object) -> bool:
    return not text_of(one) or not text_of(other) or same_city(one, other)


def _is_in(place: object, city: object, within: str) -> bool:
    """Whether a text is told to be in a city: by its own argument, or by its beginning."""
    return bool(text_of(city)) or normalise(text_of(place)).startswith(bare_name(within))


def _stem(text: str, city: str) -> str:
    """A name without the city before it, and a city's name without 市."""
    key = normalise(text)
    for prefix in (f"{bare_name(city)}市", bare_name(city)) if city else ():
        if key.startswith(prefix):
            return key.removeprefix(prefix)
    return bare_name(text)


def _shortest(word: tuple[Reading, ...]) -> str:
    return min((reading.text for reading in word if reading.text), key=len, default="")
