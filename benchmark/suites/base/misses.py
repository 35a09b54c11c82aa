"""How a benchmark tells what a session lost, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from benchmark.core.events import Event
from benchmark.core.setting import Setting, T, W
from benchmark.misses import CAUSES, CauseWords, Miss
from benchmark.suites.base.ratings import Ratings, RubricMeans

Figures = Mapping[str, object]
"""The figures of a session by the first profile, with their evidence, as `Sheet.as_json` gives them."""


@dataclass(frozen=True)
class Misses(Generic[T, W]):
    """How a benchmark tells what a session lost. T: the class of its tasks. W: what its scores need of a world."""

    version: str
    """Raised whenever something else may be found in the same log."""
    find: Callable[[Sequence[Event], Setting[T, W], Figures, Ratings], Iterable[Miss]]
    """What an ended session lost, from its log, its figures, and what a judge says of it, if one does."""
    metrics: tuple[str, ...]
    """The keys of the metrics that misses speak of, the one that matters most first."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What kinds are called, English message ids; another is called as the pages of the benchmark call its faults."""
    causes: Mapping[str, CauseWords] = field(default_factory=dict)
    """Causes of its own, beside the shared ones."""

    def __post_init__(self) -> None:
        if taken := sorted({*self.causes} & {*CAUSES}):
            raise ValueError(f"these causes are those of all benchmarks: {', '.join(taken)}")

    def cause(self, key: str) -> CauseWords:
        """A cause in words; one that is not declared as it is."""
        return self.causes.get(key) or CAUSES.get(key) or CauseWords(key, "")


def split_rating(said: RubricMeans, lowest: float, highest: float) -> tuple[dict[str, float], float]:
    """What each dimension takes of 100 points of a judge's score, and what was taken of the rest, 0 or more.

    lowest, highest: of a rating. A session that was not rated has no dimensions.
    """
    count, span = len(said.ratings), highest - lowest
    parts = {name: 100 * (highest - rating) / span / count for name, rating in said.ratings.items()}
    return parts, max(0.0, 100 - said.score - sum(parts.values()))
