"""How many days a request asks for."""

from __future__ import annotations

from collections.abc import Callable

from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY
from benchmark.text.numerals import chinese, english

_DAYS = guarded.compile(rf"(?<![第\d{chinese.HAN}])({chinese.NUMBER})\s*(?:天|日游)")
_NIGHTS = guarded.compile(rf"({chinese.NUMBER})\s*[晚夜]")
_ENGLISH_DAYS = guarded.compile(rf"({english.NUMBER})[\s-]*days?\b", guarded.IGNORECASE)
_ENGLISH_NIGHTS = guarded.compile(rf"({english.NUMBER})[\s-]*nights?\b", guarded.IGNORECASE)
_LONGEST = 100


def days_asked(query: str) -> int | None:
    """Days of the trip by the words of the request (三天两夜, `a three-day trip`), else by its nights.

    None where it says neither, or names several numbers: then it is not clear which is meant.
    """
    for pattern, more, read in (
        (_DAYS, 0, chinese.read_number),
        (_ENGLISH_DAYS, 0, english.read_number),
        (_NIGHTS, 1, chinese.read_number),
        (_ENGLISH_NIGHTS, 1, english.read_number),
    ):
        counts = _counts(pattern, read, query[:LONGEST_REPLY])
        if counts:
            return counts.pop() + more if len(counts) == 1 else None
    return None


def _counts(pattern: guarded.Pattern, read: Callable[[str], float | None], query: str) -> set[int]:
    values = (read(found) for found in pattern.findall(query))
    return {int(value) for value in values if value and value < _LONGEST and value.is_integer()}
