"""Which words of one text another one does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from rapidfuzz.distance import Indel

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_KINDS_OF_WORDS = rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+|[^\w\s]"
_WORD = re.compile(_KINDS_OF_WORDS)
_WORD_OR_BLANKS = re.compile(rf"{_KINDS_OF_WORDS}|\s+")
MOST_WORDS = 10_000
"""Words of a text that are compared; what comes after them is told apart as a whole."""
ISLAND, CHANGE = 2, 4
"""So few words that are the same between changes of so many or more are shown as changed with them: nobody could read
texts of which here and there a word is the same."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text. kind: both have it, only the later text has it, or only the former."""

    kind: Literal["same", "new", "gone"]
    text: str


@dataclass(frozen=True, slots=True)
class _Word:
    """text: the word with the blanks after it, which are a word of their own where they count."""

    word: str
    text: str


def compare_words(former: str, later: str, *, blanks_count: bool = False) -> list[Piece]:
    """The later text in pieces, with what it lacks of the former in its places.

    A Chinese or Japanese character is a word. blanks_count: whether other blanks or line ends are a difference; where
    they are not, a text of blanks alone has no piece.
    """
    pattern = _WORD_OR_BLANKS if blanks_count else _WORD
    one, other = _words(former, pattern), _words(later, pattern)
    pieces = list(_pieces(one[:MOST_WORDS], other[:MOST_WORDS]))
    rest = _text(one[MOST_WORDS:]), _text(other[MOST_WORDS:])
    if rest[0] != rest[1]:
        pieces += [Piece("gone", rest[0])] if rest[0] else []
        pieces += [Piece("new", rest[1])] if rest[1] else []
    elif rest[1]:
        pieces.append(Piece("same", rest[1]))
    return pieces


def pieces_of_each(pieces: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """What a comparison has of the former text, and of the later one, for showing them side by side."""
    return [piece for piece in pieces if piece.kind != "new"], [
        piece for piece in pieces if piece.kind != "gone"
    ]


def are_alike(pieces: Sequence[Piece]) -> bool:
    """Whether the two texts have the same words."""
    return all(piece.kind == "same" for piece in pieces)


def words_of(text: str) -> list[str]:
    """The words of a text, without its blanks."""
    return _WORD.findall(text)


def _words(text: str, pattern: re.Pattern[str]) -> list[_Word]:
    found = list(pattern.finditer(text))
    begins = [match.start() for match in found]
    if begins:
        begins[0] = 0
    ends = [*begins[1:], len(text)]
    return [_Word(match[0], text[begin:end]) for match, begin, end in zip(found, begins, ends, strict=False)]


def _pieces(one: Sequence[_Word], other: Sequence[_Word]) -> Iterator[Piece]:
    gone, new = list[_Word](), list[_Word]()
    blocks = list(_blocks(one, other))
    for at, (is_same, before, after) in enumerate(blocks):
        around = [max(len(block.former), len(block.later)) for block in blocks[max(at - 1, 0) : at + 2 : 2]]
        if is_same and not (len(after) <= ISLAND and len(around) == 2 and min(around) >= CHANGE):
            yield from _change(gone, new)
            gone, new = [], []
            yield Piece("same", _text(after))
        else:
            gone += before
            new += after
    yield from _change(gone, new)


class _Block(NamedTuple):
    """Words that both have, where is_same; else a change. former, later: of either text."""

    is_same: bool
    former: Sequence[_Word]
    later: Sequence[_Word]


def _blocks(one: Sequence[_Word], other: Sequence[_Word]) -> Iterator[_Block]:
    """The words of both, what is the same and changes by turns."""
    codes = Indel.opcodes([each.word for each in one], [each.word for each in other])
    for is_same, together in groupby(codes, key=lambda code: code.tag == "equal"):
        several = list(together)
        first, last = several[0], several[-1]
        before = one[first.src_start : last.src_end]
        yield _Block(is_same, before, other[first.dest_start : last.dest_end])


def _change(gone: Sequence[_Word], new: Sequence[_Word]) -> Iterator[Piece]:
    if gone:
        yield Piece("gone", _text(gone))
    if new:
        yield Piece("new", _text(new))


def _text(words: Sequence[_Word]) -> str:
    return "".join(each.text for each in words)
