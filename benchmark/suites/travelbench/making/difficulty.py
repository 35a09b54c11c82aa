"""How hard a request is: the tool calls that models made on average (section 5.5)."""

from __future__ import annotations

from collections.abc import Sequence

RUNS = 12
"""Four models, three trials each."""
_PLACES = 2


def mean_calls(calls: Sequence[int], runs: int = RUNS) -> float:
    """Rounded to 2 places; over twelve runs these are twelfths.

    Raises:
        ValueError: it is another number of runs.
    """
    if len(calls) != runs:
        raise ValueError(f"{len(calls)} runs that did not crash; {runs} are needed")
    return round(sum(calls) / runs, _PLACES)
