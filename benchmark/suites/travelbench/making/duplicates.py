"""Near duplicates among requests as they were collected (section 3.1): nearly the same words, by rapidfuzz."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process, utils

ALIKE = 90.0
"""From which similarity on two requests are near duplicates, 0 to 100: of ten characters one may differ."""
_ROWS = 500
"""Compared with all before them at a time."""


class Duplicate(NamedTuple):
    """A request that is nearly one before it. row, of: their places; similarity: 0 to 100."""

    row: int
    of: int
    similarity: float


def near_duplicates(
    texts: Sequence[str],
    alike: float = ALIKE,
    progress: Callable[[int, int], None] = lambda done, whole: None,
) -> list[Duplicate]:
    """Each text that is alike to one before it which is none itself: to the most similar, of equal ones the first.

    Similarity is the share of characters that stay in the shortest edit (`rapidfuzz.fuzz.ratio`), without case,
    punctuation and outer space. A text without a word is like no other.
    """
    words = [utils.default_process(text) for text in texts]
    kept: list[int] = []
    pairs: list[Duplicate] = []
    for start in range(0, len(words), _ROWS):
        rows = range(start, min(start + _ROWS, len(words)))
        for row, scores in zip(rows, _scores(words, rows, alike), strict=True):
            duplicate = _nearest(row, kept, scores) if words[row] else None
            if duplicate is None:
                kept.append(row)
            else:
                pairs.append(duplicate)
        progress(rows.stop, len(words))
    return pairs


def _scores(words: Sequence[str], rows: range, alike: float) -> NDArray[np.float32]:
    """Of each row with every text up to the last row; 0 below `alike`."""
    some, before = words[rows.start : rows.stop], words[: rows.stop]
    scores: NDArray[np.float32] = process.cdist(
        some, before, scorer=fuzz.ratio, score_cutoff=alike, dtype=np.float32
    )
    return scores


def _nearest(row: int, kept: Sequence[int], scores: NDArray[np.float32]) -> Duplicate | None:
    if not kept:
        return None
    best = int(np.argmax(scores[list(kept)]))
    similarity = float(scores[kept[best]])
    return Duplicate(row, kept[best], round(similarity, 1)) if similarity > 0 else None
