"""Turns that judges cite: numbers in square brackets, and lists of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.text import guarded

_TO = "[-–—~～至到]|to"
_BRACKETED_CITATION = guarded.compile(
    rf"[\[［【](?:[\d\s,，、;；&#第回合和与及号]|{_TO}|turns?|and)*[\]］】]", guarded.IGNORECASE
)
_RANGE = guarded.compile(rf"(\d+)(?:\s*+(?:{_TO})\s*+第?\s*+(\d+))?", guarded.IGNORECASE)
_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Citations:
    """turns: cited, in the order of the text, each once. unknown_turns: those of them that do not exist.

    A range stands for the turns that there are between its ends. Its ends need be no turns, since the numbers of a
    transcript have gaps; an end before the first turn or after the last is unknown, and so are both where no turn
    lies between them.
    """

    turns: tuple[int, ...]
    unknown_turns: tuple[int, ...]


def citations(text: str, listed: Any, turns: Collection[int]) -> Citations:
    """What a rationale and the list beside it cite, held against the turns of the transcript."""
    spans = dict.fromkeys(
        [*_spans(bracket.group() for bracket in find_brackets(text)), *_listed_turns(listed)]
    )
    there = sorted(turns)
    cited = tuple(dict.fromkeys(turn for span in spans for turn in _turns(*span, there)))
    return Citations(cited, tuple(turn for turn in cited if turn not in turns))


def find_brackets(text: str) -> Iterator[guarded.Match]:
    """Square brackets that hold numbers, ranges and the words between them, such as `[turns 12 and 14-16]`."""
    return _BRACKETED_CITATION.finditer(text)


def ranges(text: str) -> Iterator[tuple[int, int]]:
    """The first and last number of every range that stands in brackets."""
    spans = _spans(bracket.group() for bracket in find_brackets(text))
    return (span for span in spans if span[0] < span[1])


def _turns(first: int, last: int, turns: Sequence[int]) -> Iterable[int]:
    """turns: in order."""
    if first >= last:
        return dict.fromkeys((first, last))
    inside = turns[bisect_left(turns, first) : bisect_right(turns, last)]
    if not inside:
        return first, last
    before = [first] if first < turns[0] else []
    return [*before, *inside, *([last] if last > turns[-1] else [])]


def _spans(texts: Iterable[str]) -> Iterator[tuple[int, int]]:
    """First and last of everything cited; a single turn is both."""
    for text in texts:
        for match in _RANGE.finditer(text):
            ends = [int(end) for end in match.groups() if end and len(end) <= _MOST_DIGITS]
            if ends:
                yield ends[0], ends[-1]


def _listed_turns(written: Any) -> Iterator[tuple[int, int]]:
    """The numbers of a list of turns: 12, 12.0, "12", "[12]", "turn 12", "12-14"."""
    for item in written if isinstance(written, list) else [written]:
        if isinstance(item, str):
            yield from _spans([item])
        elif isinstance(item, int | float) and not isinstance(item, bool) and item == item // 1:
            yield int(item), int(item)
