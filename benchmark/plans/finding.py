"""Finding the JSON object that an answer holds.

Where a benchmark looks is a part of its rules, so there are several ways: each is as its paper or its program has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import orjson

from benchmark.text import guarded

FENCE = "```"
_LONG_NUMBER = guarded.compile("[0-9]{19}")

JsonObject = dict[str, Any]


def decode_json(text: str) -> Any:
    """The JSON value of `text`, None where it is none.

    Python reads what orjson refuses (NaN, surrogates), and whole numbers beyond 64 bits, which orjson makes floats.
    """
    if not _LONG_NUMBER.search(text):
        try:
            return orjson.loads(text)
        except ValueError:
            pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def decode_object(text: str) -> JsonObject | None:
    """The JSON object of `text`; None where it is no JSON or another value."""
    value = decode_json(text)
    return value if isinstance(value, dict) else None


def balance_braces(text: str, start: int) -> str:
    """`text` from the brace at `start` to the one that closes it, braces in strings counted too; "" without one."""
    depth, at = 0, start
    while at >= 0:
        end = text.find("}", at) + 1
        if not end:
            return ""
        depth += text.count("{", at, end) - 1
        if depth == 0:
            return text[start:end]
        at = end
    return ""


def outermost_braces(text: str) -> str:
    """`text` from its first opening brace to its last closing one; "" without both."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else ""


def fences(text: str) -> Iterator[str]:
    """What stands in each closed fence, in order, without the info string (`json`) after the opening one."""
    parts = text.split(FENCE)
    for body in parts[1:-1:2]:
        info, newline, rest = body.partition("\n")
        yield body[body.find("{") :] if "{" in info else rest if newline else body


def first_object(text: str) -> JsonObject | None:
    """The object in the first closed fence (`json` or without a name), else in the first braces that balance."""
    start = text.find(FENCE)
    end = text.find(FENCE, start + len(FENCE)) if start >= 0 else -1
    if end < 0:
        return decode_object(balance_braces(text, text.find("{")))
    return decode_object(text[start + len(FENCE) : end].removeprefix("json"))


def first_fenced_object(text: str) -> JsonObject | None:
    """The first closed fence that is an object, else what the outermost braces hold."""
    for body in fences(text):
        if (value := decode_object(body)) is not None:
            return value
    return decode_object(outermost_braces(text))


def last_fenced_object(text: str, key: str) -> JsonObject | None:
    """The last closed fence that is an object with this key, else what the outermost braces hold."""
    objects = [value for body in fences(text) if (value := decode_object(body)) is not None and key in value]
    return objects[-1] if objects else decode_object(outermost_braces(text))
