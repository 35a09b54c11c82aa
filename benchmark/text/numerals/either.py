"""Numbers as people write them, in figures or words, Chinese or English: 2,300, 1万5千, 三千五, 5k, nine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from benchmark.text import guarded
from benchmark.text.numerals.chinese import DIGITS, FIGURES

_SMALL = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_DIGITS = DIGITS | {word: value for value, word in enumerate(_SMALL, 1)}
_UNITS = {"十": 10, "百": 100, "千": 1000, "k": 1000, "hundred": 100, "thousand": 1000}
_MYRIADS = ("万", "w")
_HAN = "零〇一二两俩三四五六七八九十百千万"
_WORD = rf"(?:{'|'.join(reversed(_SMALL))})"
_NUMBER = guarded.compile(
    rf"(?<![\dA-Za-z_])(?<!\d[.,:：])(?:(?:{FIGURES})(?:\s*[百千万][\d{_HAN}]*|\s*[kw](?![a-z])|\s*thousand\b)?"
    rf"|[{_HAN}]+|\b{_WORD}\b(?:[ -](?:and )?(?:hundred|thousand|{_WORD})\b)*)(?!\d|[.,:：]\d)",
    guarded.IGNORECASE,
)
_LONGEST = 60
"""Characters of a number; what is longer is none that anybody means."""
_PARTS = guarded.compile(rf"{FIGURES}|[{_HAN}kw]|[a-z]{{2,}}", guarded.IGNORECASE)


class Number(NamedTuple):
    """One number, and where it stands in the text."""

    value: float
    start: int
    end: int


def numbers_in(text: str) -> Iterator[Number]:
    """Every number of a text, each read as a whole."""
    for found in _NUMBER.finditer(text):
        if found.end() - found.start() <= _LONGEST:
            yield Number(_value(found.group()), *found.span())


def _value(text: str) -> float:
    """A lone digit behind a unit counts in the next lower one: 三千五 is 3500; behind a zero it is itself.

    Every text that is found has a value here, 百 and 三四 (34) too, unlike by the readers of one language: stored
    scores rest on it, so it changes only with the version of the scoring.
    """
    whole = section = 0.0
    last: float | None = None
    unit = 1
    for part in _PARTS.findall(text.lower()):
        if part in _MYRIADS:
            whole, section, last, unit = (section + (last or 0)) * 10_000, 0, None, 10_000
        elif part in _UNITS:
            unit = _UNITS[part]
            section, last = section + (1 if last is None else last) * unit, None
        elif part in _DIGITS or part[0].isdigit():
            digit = _DIGITS[part] if part in _DIGITS else float(guarded.sub("[,，]", "", part))
            unit = unit if digit else 1
            last = digit if last is None else last * 10 + digit
    return whole + section + (last or 0) * (unit / 10 if unit > 10 and (last or 0) < 10 else 1)
