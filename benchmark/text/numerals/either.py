"""Numbers as people write them, in figures or words, Chinese or English: 2,300, 1万5千, 三千五, 5k, nine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from benchmark.text import guarded
from benchmark.text.numerals.parts import FIGURES, SMALL, sum_parts

_HAN = "零〇一二两俩三四五六七八九十百千万"
_WORD = rf"(?:{'|'.join(reversed(SMALL))})"
_NUMBER = guarded.compile(
    rf"(?<![\dA-Za-z_])(?<!\d[.,:：])(?:(?:{FIGURES})(?:\s*[百千万][\d{_HAN}]*|\s*[kw](?![a-z])|\s*thousand\b)?"
    rf"|[{_HAN}]+|\b{_WORD}\b(?:[ -](?:and )?(?:hundred|thousand|{_WORD})\b)*)(?!\d|[.,:：]\d)",
    guarded.IGNORECASE,
)
_LONGEST = 60
"""Characters of a number; what is longer is none that anybody means."""


class Number(NamedTuple):
    """One number, and where it stands in the text."""

    value: float
    start: int
    end: int


def numbers_in(text: str) -> Iterator[Number]:
    """Every number of a text, each read as a whole."""
    for match in _NUMBER.finditer(text):
        if match.end() - match.start() <= _LONGEST:
            yield Number(sum_parts(match.group()), *match.span())
