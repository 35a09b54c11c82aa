"""Reading AMap's values: numbers come as strings, and what is empty as [] instead of a string, object or list.

The codes of kinds of place are those of AMap's POI 分类编码.
"""

from __future__ import annotations

import math
from typing import Any

from sandbox.worlds.geo import Point, parse_point
from sandbox.worlds.locate import SpotKind
from sandbox.worlds.records import PlaceKind

Answer = dict[str, Any]

TYPES_OF_KIND: dict[PlaceKind, str] = {
    "restaurant": "050000",
    "hotel": "100000",
    "attraction": "110000|140100|140400|080500",
}
"""What a search for a kind asks for: 餐饮服务, 住宿服务, 风景名胜 with 博物馆, 美术馆 and 休闲场所."""

_KINDS: tuple[tuple[str, PlaceKind], ...] = (
    ("05", "restaurant"),
    ("10", "hotel"),
    ("11", "attraction"),
    ("1401", "attraction"),
    ("1404", "attraction"),
    ("0805", "attraction"),
)
_STOPS: tuple[tuple[str, SpotKind], ...] = (("1501", "airport"), ("1502", "train"), ("1505", "metro"))


def text(value: object) -> str:
    """A string without outer space; empty for [], null and anything else that is none.

    JSON may escape half of a surrogate pair, which is not text that could be stored or sent.
    """
    return value.strip().encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def number(value: object) -> float | None:
    """A finite number, written as one or as a string; None where there is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        parsed_number = float(value)
    except (ValueError, OverflowError):
        return None
    return parsed_number if math.isfinite(parsed_number) else None


def whole(value: object) -> int | None:
    """A number rounded to a whole one."""
    parsed_number = number(value)
    return None if parsed_number is None else round(parsed_number)


def record(value: object) -> Answer:
    """An object; empty where there is none."""
    return value if isinstance(value, dict) else {}


def records(value: object) -> list[Answer]:
    """The objects of a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def point(value: object) -> Point | None:
    """The point of "lon,lat"."""
    return parse_point(text(value))


def line(value: object) -> list[Point]:
    """The points of "lon,lat;lon,lat;…", which some answers wrap in an object of the same name."""
    inner = record(value).get("polyline") if isinstance(value, dict) else value
    return [point for each in text(inner).split(";") if (point := parse_point(each))]


def place_kind(typecode: str) -> PlaceKind:
    """The kind of a place with one code or several ("050100|050118"): of the first that has one."""
    kinds = (kind for code in typecode.split("|") for prefix, kind in _KINDS if code.startswith(prefix))
    return next(kinds, "landmark")


def spot_kind(typecode: str) -> SpotKind:
    """As `place_kind`, with stations and airports."""
    kinds = (kind for prefix, kind in _STOPS if typecode.startswith(prefix))
    return next(kinds, None) or place_kind(typecode)
