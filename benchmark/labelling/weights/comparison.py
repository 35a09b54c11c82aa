"""Labelled pairs as arrays, and which of them weights order as their labels say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.weights.components import Floats, Ints, exact
from benchmark.labelling.weights.grid import Grid
from benchmark.labelling.weights.pairs import Pair

Flags = NDArray[np.bool_]

TIE = Fraction(1, 10**12)
"""Scores that differ by no more are equal."""
_UNIT = 2.0**-53
"""Largest relative error of one operation on floats."""


class ScaleMatters(Exception):
    """A difference is so close to 1e-12 that points whose group weights are proportional do not agree on it."""


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
            sums = weights.sum(axis=1, keepdims=True)
            return _quotient(weights @ (self.a - self.b), sums)
        return _quotient(weights @ self.a, weights @ self.has_a) - _quotient(
            weights @ self.b, weights @ self.has_b
        )


def _quotient(numerator: Floats, denominator: Floats) -> Floats:
    """0 where nothing is left to average."""
    if (denominator > 0).all():
        return numerator / denominator
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


class Comparison:
    """Pairs turned so that a positive difference is what their label says.

    pairs: those of A and B first, the latter with sides exchanged, then those whose scores should be equal.
    decided_count: how many of the first kind. directions: -1 for those exchanged, else 1. signs: of R(a) − R(b) by
    the labels.
    """

    def __init__(self, pairs: Sequence[Pair], grid: Grid) -> None:
        self.pairs = sorted(pairs, key=lambda pair: pair.sign == 0)
        self.grid = grid
        self.decided_count = sum(pair.sign != 0 for pair in pairs)
        self.directions: Ints = np.array([-1 if pair.sign < 0 else 1 for pair in self.pairs])
        self.signs: Ints = np.array([pair.sign for pair in self.pairs])
        self._values = [(pair.b, pair.a) if pair.sign < 0 else (pair.a, pair.b) for pair in self.pairs]
        self.sides = [self._sides(list(group.metrics)) for group in grid.groups]
        self._means: dict[tuple[int, tuple[float, ...], int], Fraction] = {}

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return len(self.pairs)

    def _sides(self, metrics: list[str]) -> Sides:
        a, has_a = _table([side for side, _ in self._values], metrics)
        b, has_b = _table([other for _, other in self._values], metrics)
        same = ((a == b) & (has_a == has_b)).all(axis=0)
        a[:, same] = b[:, same] = 0.0  # so that the difference is 0 in floats too, whatever the values
        largest = np.maximum(np.abs(a), np.abs(b)).max(axis=0)
        # Weights, values, products and sums each round, on both sides; then group weights, the sum of groups, and
        # what `Bounds` are made with.
        operations = 4 * len(metrics) + 22 + 2 * len(self.grid.groups)
        return Sides(a, b, has_a, has_b, largest * operations * _UNIT)

    def error(self, group_weights: Sequence[float]) -> Floats:
        """How far a difference of scores may be from what exact arithmetic gives, by pair, up to these weights."""
        bounds: Floats = np.array([sides.error_bound for sides in self.sides])
        return np.array(group_weights) @ bounds

    def exact_difference(
        self, pair: int, group_weights: Sequence[float], weights: Sequence[Sequence[float]]
    ) -> Fraction:
        """R of the first side minus R of the second, by decimals as they are written. weights: by group."""
        terms = (
            exact(of_group) * self._exact_mean(number, tuple(inner), pair)
            for number, (of_group, inner) in enumerate(zip(group_weights, weights, strict=True))
        )
        return sum(terms, Fraction(0))

    def _exact_mean(self, group: int, weights: tuple[float, ...], pair: int) -> Fraction:
        """Difference of the means of one group."""
        key = (group, weights, pair)
        if key not in self._means:
            if len(self._means) >= _KEPT_MEANS:
                self._means.clear()
            by_metric = dict(zip(self.grid.groups[group].metrics, weights, strict=True))
            one, other = self._values[pair]
            self._means[key] = _mean(one, by_metric) - _mean(other, by_metric)
        return self._means[key]


_KEPT_MEANS = 200_000


def _table(values: Sequence[Mapping[str, float]], metrics: list[str]) -> tuple[Floats, Floats]:
    values_by_metric = np.array(
        [[figures.get(metric, 0.0) for figures in values] for metric in metrics], dtype=float
    )
    has = np.array([[metric in figures for figures in values] for metric in metrics], dtype=float)
    return values_by_metric, has


def _mean(values: Mapping[str, float], weights: Mapping[str, float]) -> Fraction:
    present = [(exact(w), exact(values[metric])) for metric, w in weights.items() if metric in values]
    total = sum((w for w, _ in present), Fraction(0))
    return sum((w * value for w, value in present), Fraction(0)) / total if total else Fraction(0)


@dataclass(frozen=True)
class Thresholds:
    """What a computed difference says for sure, by pair.

    equal: up to it scores are equal. unequal: beyond it they are not. What lies between is computed exactly.
    decided_count: how many pairs, the first, should differ.
    """

    equal: Floats
    unequal: Floats
    decided_count: int

    @classmethod
    def of(
        cls, comparison: Comparison, group_weights: Sequence[float], largest_factor: Fraction
    ) -> Thresholds:
        """group_weights: the largest of each group. largest_factor: that points stand for beside themselves."""
        error = comparison.error(group_weights) + float(TIE) * 4 * _UNIT
        return cls(float(TIE / largest_factor) - error, float(TIE) + error, comparison.decided_count)

    def mark(
        self, differences: Floats, known: Floats, weight: float, sure: Flags, possible: Flags
    ) -> tuple[Ints, Ints]:
        """Set the pairs that weight · difference + known orders as labelled; where that is not sure.

        differences, sure, possible: rows × pairs. weight: above 0. The answer has rows and pairs.
        """
        Bounds.of(self.unequal, self.equal, known, weight, self.decided_count).mark(differences, sure)
        Bounds.of(self.equal, self.unequal, known, weight, self.decided_count).mark(differences, possible)
        if np.count_nonzero(sure) == np.count_nonzero(possible):
            return _NONE, _NONE
        rows, pairs = np.nonzero(possible & ~sure)
        return rows, pairs


_NONE: Ints = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Bounds:
    """Where a group's difference must lie, by pair, once the other groups of a point are known.

    least_difference: it must be larger. low, high: for the other pairs it must lie between.
    """

    least_difference: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, above: Floats, within: Floats, known: Floats, weight: float, decided: int) -> Bounds:
        """So that weight · difference + known is above one threshold, or within the other. weight: above 0."""
        return cls(
            (above[:decided] - known[:decided]) / weight,
            (-within[decided:] - known[decided:]) / weight,
            (within[decided:] - known[decided:]) / weight,
        )

    def mark(self, differences: Floats, inside: Flags) -> None:
        """Set which are inside: rows × pairs."""
        decided = len(self.least_difference)
        rest = differences[:, decided:]
        np.greater(differences[:, :decided], self.least_difference, out=inside[:, :decided])
        np.less_equal(rest, self.high, out=inside[:, decided:])
        inside[:, decided:] &= rest >= self.low


def settled(difference: Fraction, decided: bool, largest_factor: Fraction) -> bool:
    """Whether an exact difference is as labelled, for all multiples of the group weights up to a factor.

    Raises ScaleMatters if they do not agree.
    """
    as_labelled = [_as_labelled(difference * factor, decided) for factor in (1, largest_factor)]
    if as_labelled[0] != as_labelled[1]:
        raise ScaleMatters
    return as_labelled[0]


def _as_labelled(difference: Fraction, decided: bool) -> bool:
    return difference > TIE if decided else abs(difference) <= TIE
