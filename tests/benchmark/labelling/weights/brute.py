"""The definition of the search in plain loops over fractions: slow, and written apart from what it checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from benchmark.labelling.weights import Grid, Pair

Point = tuple[float, ...]
"""One weight a list: of the groups, then of the metrics, group by group."""
SIGN = {"A": 1, "B": -1, "tie": 0, "neither": 0}


@lru_cache
def decimal(number: float) -> Fraction:
    return Fraction(repr(number))


@lru_cache(10_000)
def weighted_mean(weighted: tuple[tuple[float, float], ...]) -> Fraction | None:
    """The mean of values with their weights (weight, value); None where all weights are 0."""
    above = below = Fraction(0)
    for weight, value in weighted:
        above += decimal(weight) * decimal(value)
        below += decimal(weight)
    return above / below if below else None


def score(values: Mapping[str, float], grid: Grid, point: Point) -> Fraction:
    """R of one plan."""
    rest = list(point[len(grid.groups) :])
    total = Fraction(0)
    for group, of_group in zip(grid.groups, point, strict=False):
        weights = {metric: rest.pop(0) for metric in group.metrics}
        weighted = tuple((weight, values[metric]) for metric, weight in weights.items() if metric in values)
        mean = weighted_mean(weighted)
        if mean is not None:
            total += decimal(of_group) * mean
    return total


def right(pair: Pair, grid: Grid, point: Point) -> bool:
    """Whether the sign of the difference is the label's, equal within 1e-12."""
    difference = score(pair.a, grid, point) - score(pair.b, grid, point)
    if abs(difference) <= Fraction(1, 10**12):
        return SIGN[pair.label] == 0
    return SIGN[pair.label] == (1 if difference > 0 else -1)


def points(grid: Grid) -> list[Point]:
    return list(product(*_lists(grid)))


def _lists(grid: Grid) -> list[Sequence[float]]:
    """The weights listed at each place of a point."""
    lists: list[Sequence[float]] = [group.weights for group in grid.groups]
    return lists + [weights for group in grid.groups for weights in group.metrics.values()]


@dataclass(frozen=True)
class BestPoint:
    """value: the best. index: of the point that is taken. reached: how many points have it."""

    value: int
    index: int
    reached: int


def search_every_point(pairs: Sequence[Pair], grid: Grid, counts: Sequence[Sequence[int]]) -> list[BestPoint]:
    """The best point of each question. counts: by question, what each pair counts in it."""
    every = points(grid)
    table = [[right(pair, grid, point) for pair in pairs] for point in every]
    found = []
    for question in counts:
        values = [sum(count for count, hit in zip(question, row, strict=True) if hit) for row in table]
        best = max(values)
        reached = [number for number, value in enumerate(values) if value == best]
        taken = min(reached, key=lambda number: (_distance_from_defaults(grid, every[number]), number))
        found.append(BestPoint(best, taken, len(reached)))
    return found


def _distance_from_defaults(grid: Grid, point: Point) -> int:
    """How far from the defaults, or from the middles of the lists."""
    wanted = _defaults(grid)
    total = 0
    for number, (weight, listed) in enumerate(zip(point, _lists(grid), strict=True)):
        width = max(listed) - min(listed)
        if width:
            middle = (min(listed) + max(listed)) / 2 if wanted is None else wanted[number]
            away = min(abs(weight - middle) / width, 4)
            total += round(away * away * 1_000_000)
    return total


def _defaults(grid: Grid) -> list[float] | None:
    if grid.defaults is None:
        return None
    groups = grid.defaults.groups
    return [group.weight for group in groups] + [w for group in groups for w in group.metrics.values()]
