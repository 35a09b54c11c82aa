"""Values as lines of JSON, and what other people's JSON holds."""

from __future__ import annotations

import json
import math
from codecs import BOM_UTF8
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import orjson


def json_line(value: Any) -> bytes:
    """One JSON line with its end, with null for NaN and infinities.

    What orjson can't write (lone surrogates, huge integers, deep nesting) is written with escapes. Raises
    RecursionError for what is nested too deeply, TypeError for what is no JSON.
    """
    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except (TypeError, ValueError):
        finite = json.loads(json.dumps(value), parse_constant=lambda _: None)
        return json.dumps(finite).encode() + b"\n"


LONGEST_FIGURE = 300
"""Digits of a whole number; floats end there too."""
LONGEST_READ = 4_000
"""Digits that Python reads at all, less a few."""
Pairs = list[tuple[str, Any]]


class NotText(ValueError):
    """Bytes that are no UTF-8."""


def read_json(
    text: bytes, *, strict: bool = True, endless: bool = False, hook: Callable[[Pairs], Any] | None = None
) -> Any:
    """The value of a JSON text. A byte order mark is left out.

    strict: figures are numbers of a usual length. Else NaN, infinities and long figures are read, as published files
    have them. endless: a figure beyond floats is infinity, for whoever names its field. hook: makes what stands for
    an object of its pairs.

    Raises:
        ValueError: it is none; the words say what is wrong, where, and what to do.
    """
    refusing: dict[str, Any] = {"parse_constant": _no_number} if strict else {}
    if strict and not endless:
        refusing["parse_float"] = _finite
    longest = LONGEST_FIGURE if strict else LONGEST_READ
    try:
        return json.loads(
            text.removeprefix(BOM_UTF8).decode().rstrip(),
            parse_int=partial(_whole, longest),
            object_pairs_hook=hook,
            **refusing,
        )
    except UnicodeDecodeError as error:
        raise NotText(f"not UTF-8 at byte {error.start + 1}; save the file as UTF-8") from error
    except json.JSONDecodeError as error:
        where = (
            f"line {error.lineno}, character {error.colno}"
            if error.lineno > 1
            else f"character {error.pos + 1}"
        )
        raise ValueError(f"not valid JSON at {where}: {error.msg}; is it cut off?") from error
    except RecursionError as error:
        raise ValueError("nested too deeply; flatten it") from error


def unstorable_in(value: Any) -> tuple[str, str] | None:
    """The path of a text that can't be stored, and why; None where all can. As deep as the value may be."""
    open_: list[tuple[str, Any]] = [("", value)]
    while open_:
        path, part = open_.pop()
        if isinstance(part, str) and (why := why_unstorable(part)):
            return path, why
        if isinstance(part, dict):
            named = [(f"{path}.{ascii(key)[1:-1]}".lstrip("."), key) for key in part]
            open_ += reversed([*named, *((name, part[key]) for name, key in named)])
        elif isinstance(part, list):
            open_ += reversed([(f"{path}.{at}".lstrip("."), item) for at, item in enumerate(part)])
    return None


def why_unstorable(text: str) -> str:
    """Why a text can't be stored, and what to do; "" where it can."""
    if "\0" in text:
        return "holds the character NUL, which can't be stored; remove it"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate), which can't be stored; write the whole one, or remove it"
    return ""


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name[:40]} is not a number in JSON; write a finite figure, or null")


def _finite(figure: str) -> float:
    number = float(figure)
    if math.isinf(number):
        _no_number(figure)
    return number


def _whole(longest: int, figure: str) -> int:
    if len(figure) > longest:
        raise ValueError(f"a figure has {len(figure)} digits; write it shorter, or as text")
    return int(figure)
