"""Broken JSON of a model repaired, in bounded time."""

from __future__ import annotations

from typing import Any, SupportsIndex

_LOOKS, _LOOKS_A_LETTER = 150_000, 4
"""Letters that a repair may look at, again and again; broken plans and answers take about two a letter."""
_LETTERS_A_LOOK = 64
"""Of a part, which is copied."""


def repair_json(broken: str) -> Any:
    """The JSON value that a repair makes of a broken text; None where it takes too long, or fails itself."""
    import json_repair  # takes long to import, and most texts are sound

    looks = max(_LOOKS, _LOOKS_A_LETTER * len(broken))
    try:
        return json_repair.loads(_meter(broken, [looks]))
    except (ValueError, RecursionError, AssertionError, _TooMuch):
        return None


class _TooMuch(Exception):
    """A repair goes over the same letters too often."""


class _MeteredText(str):
    """A text that is looked at letter by letter, up to so many times; so are those that are put together from it.

    A repair takes time by the square or the cube of a text's length where quotes and braces do not match.
    """

    __slots__ = ("looks_left",)
    looks_left: list[int]

    def __getitem__(self, at: SupportsIndex | slice) -> str:
        part = super().__getitem__(at)
        self.looks_left[0] -= 1 + len(part) // _LETTERS_A_LOOK
        if self.looks_left[0] < 0:
            raise _TooMuch
        return _meter(part, self.looks_left) if isinstance(at, slice) and at.start is None else part

    def __add__(self, more: str) -> str:
        return _meter(super().__add__(more), self.looks_left)


def _meter(text: str, left: list[int]) -> _MeteredText:
    """left: how many looks there are, shared by all that is made of one text."""
    metered = _MeteredText(text)
    metered.looks_left = left
    return metered
