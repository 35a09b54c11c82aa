"""How wide a text is, as a terminal shows it: a Chinese character is two wide."""

from __future__ import annotations

from itertools import accumulate
from typing import Final
from unicodedata import east_asian_width

_CUT: Final = "…"


def width(text: str) -> int:
    """Columns of a text."""
    return sum(map(_width_of, text))


def cut_to_width(text: str, most: int) -> str:
    """A text as far as there is room for it, between two words where it has any."""
    if width(text) <= most:
        return text
    fitting = sum(reached < most for reached in accumulate(map(_width_of, text)))
    begun = text[:fitting]
    whole, _, part = begun.rpartition(" ")
    return (whole if whole and part.isascii() else begun).rstrip() + _CUT


def _width_of(letter: str) -> int:
    return 2 if east_asian_width(letter) in "WF" else 1
