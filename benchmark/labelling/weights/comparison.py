"""Labelled pairs as arrays, and the difference of their scores, with bounds of its error and exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.weights.grid import Grid
from benchmark.labelling.weights.pairs import Pair

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

TIE = Fraction(1, 10**12)
"""Scores that differ by no more are equal."""
_UNIT = 2.0**-53
"""Largest relative error of one operation on floats."""
_KEPT_MEANS = 200_000


@lru_cache(maxsize=65_536)
def exact(number: float) -> Fraction:
    """A number as it is written in decimals, so that 0.1 is a tenth."""
    return Fraction(repr(number))


@dataclass(frozen=True)
class Sides:
    """The values of one group of metrics in all pairs: metrics × pairs, 0 where there is none.

    has_a, has_b: 1 where there is one. error_bound: of the difference of means from what exact arithmetic gives, by
    pair.
    """

    a: Floats
    b: Floats
    has_a: Floats
    has_b: Floats
    error_bound: Floats

    @cached_property
    def whole(self) -> bool:
        """Whether no value is missing."""
        return bool(self.has_a.all() and self.has_b.all())

    def differences(self, weights: Floats) -> Floats:
        """Mean of a minus mean of b: rows of weights × pairs."""
        if self.whole:
            return _quotient(weights @ (self.a - self.b), weights.sum(axis=1, keepdims=True))
        means = [
            _quotient(weights @ values, weights @ has)
            for values, has in ((self.a, self.has_a), (self.b, self.has_b))
        ]
        return means[0] - means[1]


def _quotient(numerator: Floats, denominator: Floats) -> Floats:
    """0 where nothing is left to average."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


class Comparison:
    """Pairs turned so that a positive difference is what their label says.

    pairs: those of A and B first, the latter with sides exchanged, then those whose scores should be equal.
    decided_count: how many of the first kind. directions: -1 for those exchanged, else 1. signs: of R(a) − R(b) by
    the labels.
    """

    def __init__(self, pairs: Sequence[Pair], grid: Grid) -> None:
        self.pairs = sorted(pairs, key=lambda pair: pair.sign == 0)
        self.count, self.grid = len(pairs), grid
        self.signs: Ints = np.array([pair.sign for pair in self.pairs])
        self.decided_count = int(np.count_nonzero(self.signs))
        self.directions: Ints = np.where(self.signs < 0, -1, 1)
        self._values = [(pair.b, pair.a) if pair.sign < 0 else (pair.a, pair.b) for pair in self.pairs]
        self.sides = [self._sides(list(group.metrics)) for group in grid.groups]
        self._exact_mean = lru_cache(_KEPT_MEANS)(self._mean_difference)

    def _sides(self, metrics: list[str]) -> Sides:
        (a, has_a), (b, has_b) = (_table(side, metrics) for side in zip(*self._values, strict=True))
        same = ((a == b) & (has_a == has_b)).all(axis=0)
        a[:, same] = b[:, same] = 0.0  # so that the difference is 0 in floats too, whatever the values
        largest = np.maximum(np.abs(a), np.abs(b)).max(axis=0)
        # Weights, values, products and sums each round, on both sides; then group weights, the sum of groups, and
        # what a search compares with.
        operations = 4 * len(metrics) + 22 + 2 * len(self.grid.groups)
        return Sides(a, b, has_a, has_b, largest * operations * _UNIT)

    def thresholds(
        self, group_weights: Sequence[float], factor: Fraction = Fraction(1)
    ) -> tuple[Floats, Floats]:
        """By pair, up to which computed difference scores are equal, and beyond which they are not, for sure.

        What lies between is to be computed exactly. group_weights: the largest of each group. factor: the largest of
        the multiples that weights stand for beside themselves.
        """
        bounds: Floats = np.array([sides.error_bound for sides in self.sides])
        error = np.array(group_weights) @ bounds + float(TIE) * 4 * _UNIT
        return float(TIE / factor) - error, float(TIE) + error

    def exact_difference(self, pair: int, values: Sequence[float]) -> Fraction:
        """R of the first side minus R of the second, by decimals as they are written. values: one an axis."""
        of_groups, *of_metrics = (tuple(values[part]) for part in self.grid.parts)
        terms = (
            exact(weight) * self._exact_mean(group, weights, pair)
            for group, (weight, weights) in enumerate(zip(of_groups, of_metrics, strict=True))
        )
        return sum(terms, Fraction(0))

    def _mean_difference(self, group: int, weights: tuple[float, ...], pair: int) -> Fraction:
        """Difference of the means of one group."""
        by_metric = dict(zip(self.grid.groups[group].metrics, weights, strict=True))
        one, other = self._values[pair]
        return _mean(one, by_metric) - _mean(other, by_metric)

    def is_as_labelled(self, pair: int, difference: Fraction) -> bool:
        """Whether an exact difference is what the label says."""
        return difference > TIE if pair < self.decided_count else abs(difference) <= TIE


def _table(sides: Sequence[Mapping[str, float]], metrics: list[str]) -> tuple[Floats, Floats]:
    """The values of sides, metrics × pairs, and where there is one."""
    values = np.array([[side.get(metric, 0.0) for side in sides] for metric in metrics], dtype=float)
    has = np.array([[metric in side for side in sides] for metric in metrics], dtype=float)
    return values, has


def _mean(values: Mapping[str, float], weights: Mapping[str, float]) -> Fraction:
    present = [(exact(w), exact(values[metric])) for metric, w in weights.items() if metric in values]
    total = sum((w for w, _ in present), Fraction(0))
    return sum((w * value for w, value in present), Fraction(0)) / total if total else Fraction(0)
