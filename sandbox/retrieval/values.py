"""What an argument's value is, told by its shape: text, or something on a scale."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from math import isfinite, log1p
from typing import Any, Literal

Scale = Literal["place", "day", "clock", "number", "choice"]

_COORDINATES = r"(?<![\d.])([-+]?\d{1,3}(?:\.\d{%s,})?)\s*[,，]\s*([-+]?\d{1,3}(?:\.\d{%s,})?)(?![\d.])"
_ONLY_COORDINATES = re.compile(r"\s*" + _COORDINATES % (1, 1) + r"\s*", re.ASCII)
_COORDINATES_IN_TEXT = re.compile(_COORDINATES.replace(")?", ")") % (3, 3), re.ASCII)
_DATE = re.compile(r"(?<!\d)(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?!\d)", re.ASCII)
_CLOCK = re.compile(r"\s*(\d{1,2}):(\d{2})(?::\d{2})?\s*", re.ASCII)
_SHORT_NUMBER = re.compile(r"\s*-?\d{1,4}(?:\.\d{1,2})?\s*", re.ASCII)
_CHOICE_NAME = re.compile(r"sort|order|mode|type|filter|strategy|unit|lang", re.ASCII)
_CHOICE = re.compile(r"[A-Za-z_\-]{1,24}", re.ASCII)
_IDENTIFIER_NAME = re.compile(r"(.*_)?(id|code)", re.ASCII)

_DEPTH = 6
_DEGREE_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Words:
    """Text of a field."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Position:
    """Where a value lies on a scale. x, y: degrees; x alone: days, hours, or the logarithm of a number."""

    field: str
    scale: Scale
    x: float
    y: float = 0.0


Value = Words | Position


def values(arguments: Mapping[str, Any]) -> Iterator[Value]:
    """All that a call's arguments say; null and empty text say nothing."""
    for name, value in arguments.items():
        yield from _read(name, value, _DEPTH)


def _read(field: str, value: Any, depth: int) -> Iterator[Value]:
    if isinstance(value, str):
        yield from _text(field, value)
    elif isinstance(value, bool):
        yield Position(f"{field}={value}", "choice", 0.0)
    elif isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        yield _number(field, value)
    elif isinstance(value, (dict, list)) and depth:
        items = value.items() if isinstance(value, dict) else (("", item) for item in value)
        for name, item in items:
            yield from _read(f"{field}.{name}" if name else field, item, depth - 1)


def _number(field: str, value: float) -> Position:
    """Three decimals and more within the globe are degrees; all else counts by its order of magnitude."""
    if abs(value) <= 180 and round(value, _DEGREE_DECIMALS - 1) != value:
        return Position(field, "place", float(value))
    magnitude = log1p(min(abs(value), 1e15))
    return Position(field, "number", magnitude if value >= 0 else -magnitude)


def _text(field: str, text: str) -> Iterator[Value]:
    if point := _ONLY_COORDINATES.fullmatch(text):
        yield Position(field, "place", float(point[1]), float(point[2]))
    elif clock := _CLOCK.fullmatch(text):
        yield Position(field, "clock", int(clock[1]) + int(clock[2]) / 60)
    elif _CHOICE_NAME.search(field) and _CHOICE.fullmatch(text):
        yield Position(f"{field}={text.lower()}", "choice", 0.0)
    elif _SHORT_NUMBER.fullmatch(text) and not _IDENTIFIER_NAME.fullmatch(field):
        yield _number(field, float(text))
    else:
        yield from _words_and_values(field, text)


def _words_and_values(field: str, text: str) -> Iterator[Value]:
    """Words, with the coordinates and dates that stand among them."""
    for point in _COORDINATES_IN_TEXT.finditer(text):
        yield Position(field, "place", float(point[1]), float(point[2]))
    rest = _COORDINATES_IN_TEXT.sub(" ", text)
    for day in _DATE.finditer(rest):
        if (number := _day(*map(int, day.groups()))) is not None:
            yield Position(field, "day", number)
            rest = rest.replace(day[0], " ")
    if rest.strip():
        yield Words(field, rest)


def _day(year: int, month: int, day: int) -> float | None:
    try:
        return float(date(year, month, day).toordinal())
    except ValueError:
        return None
