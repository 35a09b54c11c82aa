"""How long to wait before a model is asked again."""

from __future__ import annotations

import random

from benchmark.models.failures import ModelFailure

_LONGEST_S = 60.0
_LONGEST_ASKED_S = 300.0


def wait_s(attempt: int, failure: ModelFailure, seed: int | str) -> float:
    """Seconds between the failed attempt of that number, from 1, and the next; the same for the same arguments.

    As the server asked, but 300 s at most and up to 1 s later, lest all come back together; else between half of
    and the whole of min(2^attempt, 60): 1 to 2 s after the first, 30 to 60 s from the sixth on.
    """
    chance = random.Random(f"{seed}:{attempt}").random()
    if failure.retry_after_s is not None:
        return min(failure.retry_after_s + chance, _LONGEST_ASKED_S)
    longest = min(2.0 ** min(attempt, 10), _LONGEST_S)
    return longest * (1 + chance) / 2
