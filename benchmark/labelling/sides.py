"""Which plan of a pair stands on the left: random, and counterbalanced."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def swapped_for(tallies: Sequence[tuple[int, int]], key: str) -> bool:
    """Whether the next showing of a pair is swapped.

    tallies: how often it was shown as it is, and swapped, in each of several views, the most important first (the
    item's own showings, the annotator's, those of the same two agents). The first that is out of balance decides;
    where all are in balance, a coin does that falls alike for the same key.
    """
    for kept, swapped in tallies:
        if kept != swapped:
            return kept > swapped
    return bool(sha256(key.encode()).digest()[0] & 1)
