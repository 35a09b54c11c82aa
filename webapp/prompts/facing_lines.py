"""Two texts line by line, with the words marked that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

from benchmark.text.word_differences import Piece, compare_words, pieces_of_each

_CONTEXT_LINES = 3
"""Lines that are alike and shown before and after those that differ."""


@dataclass(frozen=True, slots=True)
class Side:
    """A line of one side. number: from 1."""

    number: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Lines that face each other, None where one side has none there. hidden: alike lines in their place."""

    one: Side | None = None
    other: Side | None = None
    hidden: int = 0

    @property
    def alike(self) -> bool:
        """Whether both sides say the same."""
        return self.one is not None and self.other is not None and self.one.pieces == self.other.pieces


def face_lines(left: str, right: str) -> list[Pair]:
    """The lines of both, those that differ with three alike ones around; what is left out is counted."""
    one, other = left.splitlines(), right.splitlines()
    pairs: list[Pair] = []
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    for number, (tag, i1, i2, j1, j2) in enumerate(blocks):
        if tag == "equal":
            alike = [
                Pair(_whole(i, one), _whole(j, other))
                for i, j in zip(range(i1, i2), range(j1, j2), strict=True)
            ]
            pairs += _shorten(alike, is_first=number == 0, is_last=number == len(blocks) - 1)
        else:
            pairs += _face(one, other, range(i1, i2), range(j1, j2))
    return pairs


def _whole(at: int, lines: Sequence[str], kind: Literal["same", "new", "gone"] = "same") -> Side:
    return Side(at + 1, (Piece(kind, lines[at]),))


def _shorten(alike: list[Pair], *, is_first: bool, is_last: bool) -> Iterator[Pair]:
    before, after = (0 if is_first else _CONTEXT_LINES), (0 if is_last else _CONTEXT_LINES)
    if len(alike) <= before + after + 1:
        yield from alike
        return
    yield from alike[:before]
    yield Pair(hidden=len(alike) - before - after)
    yield from alike[len(alike) - after :] if after else ()


def _face(one: Sequence[str], other: Sequence[str], here: range, there: range) -> Iterator[Pair]:
    for i, j in zip_longest(here, there):
        if i is None or j is None:
            yield Pair(
                None if i is None else _whole(i, one, "gone"),
                None if j is None else _whole(j, other, "new"),
            )
            continue
        before, after = pieces_of_each(compare_words(one[i], other[j], blanks_count=True))
        yield Pair(Side(i + 1, tuple(before)), Side(j + 1, tuple(after)))
