"""How far judgements of the same session differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, stdev


@dataclass(frozen=True, slots=True)
class Spread:
    """mean: over all values. std: sample standard deviation (n - 1), None below two values. count: of values."""

    mean: float
    std: float | None
    count: int


def spread(values: Sequence[float]) -> Spread | None:
    """Of repeated judgements of one session; None without any."""
    if not values:
        return None
    return Spread(mean(values), stdev(values) if len(values) > 1 else None, len(values))


def pool_spreads(groups: Iterable[Sequence[float]]) -> Spread | None:
    """Of several sessions, each with its repeats: the mean of their means, the mean of their deviations.

    A session with one value says nothing of stability and counts for the mean alone. count: of sessions.
    """
    spreads = [own for own in map(spread, groups) if own is not None]
    if not spreads:
        return None
    deviations = [own.std for own in spreads if own.std is not None]
    return Spread(mean(own.mean for own in spreads), mean(deviations) if deviations else None, len(spreads))
