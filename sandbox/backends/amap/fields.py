"""Reading AMap's values: numbers come as strings, and what is empty as [] instead of a string, object or list."""

from __future__ import annotations

import math
from typing import Any

from sandbox.worlds.geo import Point, parse_point

Answer = dict[str, Any]


def text(value: object) -> str:
    """A string without outer space; empty for [], null and anything else that is none.

    JSON may escape half of a surrogate pair, which is no text that could be stored or sent.
    """
    return value.strip().encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def number(value: object) -> float | None:
    """A finite number, written as one or as a string; None where there is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def whole(value: object) -> int | None:
    """A number rounded to a whole one."""
    found = number(value)
    return None if found is None else round(found)


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
    return [found for each in text(inner).split(";") if (found := parse_point(each))]
