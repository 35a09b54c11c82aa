"""Two values side by side, cut down to where they first differ."""

from __future__ import annotations

import json
from typing import Any

BEFORE = 24
AFTER = 48
_LINE_ENDS = ("", "\n")


def canonical(value: Any) -> str:
    """JSON text that is the same for values that mean the same, whatever the order of their keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=_plain)


def _plain(value: Any) -> Any:
    """Mappings and tuples that are no dict and no list."""
    return dict(value) if hasattr(value, "keys") else list(value)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON; 1, 1.0 and True are three things there."""
    return one is other or canonical(one) == canonical(other)


def first_difference_of(one: str, other: str) -> int:
    """The index of the first character in which two different texts differ."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def line_of(text: str, at: int) -> int:
    """The number of the line, from 1, in which character `at` stands."""
    return text.count("\n", 0, at) + 1


def excerpt(text: str, at: int, *, beyond: bool = False) -> str:
    """What stands around character `at` in its line, quoted. beyond: the next lines too, line ends shown as ↵."""
    begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    end = len(text) if end < 0 or beyond else end
    first, last = max(begin, at - BEFORE), min(end, at + AFTER)
    shown = text[first:last].replace("\n", "↵")
    return f"“{'…' if first > begin else ''}{shown}{'…' if last < end else ''}”"


def text_of(value: Any) -> str:
    """A value as it is shown: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else canonical(value)


def both(recorded: Any, now: Any) -> tuple[str, str]:
    """Two different values, each cut down to the surroundings of the first difference."""
    one, other = text_of(recorded), text_of(now)
    at = first_difference_of(one, other)
    beyond = one[at : at + 1] in _LINE_ENDS or other[at : at + 1] in _LINE_ENDS
    return excerpt(one, at, beyond=beyond), excerpt(other, at, beyond=beyond)


def shorten(value: Any) -> str:
    """The beginning of a value, quoted."""
    return excerpt(text_of(value), 0)
