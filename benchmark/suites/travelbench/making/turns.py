"""In how many turns a request is answered, as six runs of the multi-turn loop show (section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

RUNS = 6
"""Two models, three trials each."""
_SINGLE_FROM = 4
TurnType = Literal["single", "multi"]


def turn_type(turns: Sequence[int]) -> TurnType | None:
    """From the turns of all six runs: single with one turn in at least 4 of them, multi in none; else None.

    Raises:
        ValueError: it is another number of runs.
    """
    if len(turns) != RUNS:
        raise ValueError(f"{len(turns)} runs that did not crash; {RUNS} are needed")
    at_once = sum(turn == 1 for turn in turns)
    if at_once >= _SINGLE_FROM:
        return "single"
    return None if at_once else "multi"
