"""Means with intervals, paired comparisons, correlations: by numpy, seeded, so that a report never changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmark.reports.tasks import Floats

LEVEL = 0.95
TIMES = 2000
MANY = 5000
_ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
_TINY = 1e-7


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its interval; the ends are None where fewer than two tasks have the figure."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Resampler:
    """Resamples of tasks, with replacement; the same ones for every figure of as many tasks."""

    seed: int = 0
    times: int = TIMES
    _draws: dict[int, Floats] = field(default_factory=dict, compare=False, repr=False)
    _signs: dict[int, Floats] = field(default_factory=dict, compare=False, repr=False)

    def weights(self, tasks: int) -> Floats:
        """How often each task was drawn: an array of `times` rows that each sum to `tasks`.

        A quarter of the rows above MANY tasks, where they would take gigabytes and hardly differ.
        """
        if tasks not in self._draws:
            self._draws[tasks] = self._draw_counts(tasks, self.times if tasks <= MANY else self.times // 4)
        return self._draws[tasks]

    def _draw_counts(self, tasks: int, times: int) -> Floats:
        drawn = np.random.default_rng([self.seed, tasks]).integers(0, tasks, (times, tasks))
        drawn += np.arange(times)[:, None] * tasks
        counts = np.bincount(drawn.ravel(), minlength=times * tasks)
        return counts.reshape(times, tasks).astype(float)

    def signs(self, tasks: int) -> Floats:
        """Ways to turn the signs of that many differences: rows of 1 and −1, all there are or `times` drawn ones."""
        if tasks not in self._signs:
            self._signs[tasks] = 1.0 - 2 * self._ways(tasks)
        return self._signs[tasks]

    def _ways(self, tasks: int) -> Floats:
        if 2**tasks <= self.times:
            return ((np.arange(2**tasks)[:, None] >> np.arange(tasks)) & 1).astype(float)
        size = len(self.weights(tasks)), tasks
        return np.random.default_rng([self.seed, tasks, 1]).integers(0, 2, size, dtype=np.int8).astype(float)

    def means(self, blocks: Sequence[Floats]) -> list[Floats]:
        """The mean of every column of each block (tasks × figures) in every resample, NaN left out.

        Blocks of as many tasks are worked out together, which is several times faster.
        """
        alike: dict[int, list[int]] = {}
        for number, block in enumerate(blocks):
            alike.setdefault(len(block), []).append(number)
        means_by_group: dict[int, Floats] = {}
        for numbers in alike.values():
            stacked = self._means(np.hstack([blocks[number] for number in numbers]))
            ends = np.cumsum([blocks[number].shape[1] for number in numbers])[:-1]
            means_by_group.update(zip(numbers, np.split(stacked, ends, axis=1), strict=True))
        return [means_by_group[number] for number in range(len(blocks))]

    def _means(self, values: Floats) -> Floats:
        known = ~np.isnan(values)
        lacking = ~known.all(axis=0)
        weights = self.weights(len(values))
        sums = weights @ np.where(known, values, 0.0)
        counts = np.full_like(sums, len(values))
        if lacking.any():
            counts[:, lacking] = weights @ known[:, lacking].astype(float)
        with np.errstate(invalid="ignore"):
            means: Floats = sums / counts
        return means


def means_of(values: Floats) -> Floats:
    """The mean of every column, NaN left out; NaN for a column without a number."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    return means


def estimates(blocks: Sequence[Floats], resampler: Resampler) -> list[list[Estimate]]:
    """Of each block (tasks × figures) the mean of every column with the percentile interval over resampled tasks."""
    several = [block for block in blocks if len(block) > 1]
    resampled = iter(resampler.means(several))
    return [
        with_intervals(means_of(block), next(resampled), known_in(block))
        if len(block) > 1
        else [Estimate(number(point)) for point in means_of(block)]
        for block in blocks
    ]


def known_in(values: Floats) -> Floats:
    """How many numbers every column has."""
    counts: Floats = (~np.isnan(values)).sum(axis=0).astype(float)
    return counts


def with_intervals(points: Floats, resampled: Floats, counts: Floats) -> list[Estimate]:
    """Figures with the percentile intervals of their resampled values (resamples × figures), NaN left out.

    counts: of how many tasks each figure is; fewer than two have no interval.
    """
    if (counts > 1).all() and not np.isnan(resampled).any():
        lows, highs = np.quantile(resampled, _ENDS, axis=0)
        return [Estimate(*map(float, ends)) for ends in zip(points, lows, highs, strict=True)]
    columns = zip(points, resampled.T, counts, strict=True)
    return [_with_interval(float(point), column, count) for point, column, count in columns]


def _with_interval(point: float, resampled: Floats, count: float) -> Estimate:
    known = resampled[~np.isnan(resampled)]
    if count < 2 or not known.size:
        return Estimate(number(point))
    low, high = np.quantile(known, _ENDS)
    return Estimate(point, float(low), float(high))


def number(value: float) -> float | None:
    """A float as tables have it: None for NaN."""
    return None if np.isnan(value) else float(value)


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """What a second run has more than a first, over the tasks that have the figure in both.

    difference: its mean with the bootstrap interval. effect: Cohen's d of paired samples, the mean difference over
    the standard deviation of the differences; None when all differ alike. wins: the share of tasks on which the
    second is better, a tie counting half. p: two-sided, of the permutation test; None below two tasks.
    """

    tasks: int
    difference: Estimate
    effect: float | None
    wins: float | None
    p: float | None


def paired_differences(blocks: Sequence[Floats], resampler: Resampler) -> list[list[PairedDifference]]:
    """Judge differences of figures (tasks × figures, the second run's value less the first's), column by column.

    p is that of the paired permutation test (Fisher's randomisation test; Efron and Tibshirani 1993, chapter 15): if
    the runs were alike, each task's difference might as well have the other sign. It is the share of the ways to
    turn the signs by which the mean lies at least as far from 0: exact where there are few tasks, so that four never
    give less than 1/8; of drawn ways and the observed one elsewhere. A bootstrap of few tasks calls chance a find.
    """
    differences = estimates(blocks, resampler)
    return [
        [
            _paired_difference(*column)
            for column in zip(block.T, means, _probabilities(block, resampler), strict=True)
        ]
        for block, means in zip(blocks, differences, strict=True)
    ]


def _probabilities(differences: Floats, resampler: Resampler) -> list[float]:
    """p of every column; a task without the figure has no sign to turn."""
    known = np.where(np.isnan(differences), 0.0, differences)
    ways = resampler.signs(len(known))
    far = (np.abs(ways @ known) >= np.abs(known.sum(axis=0)) - _TINY).sum(axis=0)
    drawn = len(ways) < 2 ** len(known)
    return [float(count) for count in (far + drawn) / (len(ways) + drawn)]


def _paired_difference(differences: Floats, mean: Estimate, p: float) -> PairedDifference:
    known = differences[~np.isnan(differences)]
    if len(known) < 2:
        return PairedDifference(len(known), Estimate(mean.value), None, _wins(known), None)
    return PairedDifference(len(known), mean, _effect(known), _wins(known), p)


def _effect(differences: Floats) -> float | None:
    spread = differences.std(ddof=1)
    return float(differences.mean() / spread) if spread > _TINY else None


def _wins(differences: Floats) -> float | None:
    counts = win_counts(differences)
    return (counts.wins + counts.ties / 2) / counts.tasks if counts.tasks else None


def holm(probabilities: Sequence[float]) -> list[float]:
    """Correct the p of several tests for their number by Holm's method, in the order in which they are given.

    The smallest of m is multiplied by m, the next one by m − 1, and so on; each is at least the one before it and at
    most 1: p̃₍ᵢ₎ = max over j ≤ i of min(1, (m − j + 1) p₍ⱼ₎). Whoever calls p̃ < α a find makes one false find or more
    with a probability of at most α, whatever the tests have to do with each other. Source: S. Holm, A simple
    sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979), 65–70.
    """
    corrected, highest, whole = [0.0] * len(probabilities), 0.0, len(probabilities)
    for before, place in enumerate(sorted(range(whole), key=probabilities.__getitem__)):
        highest = max(highest, min(1.0, (whole - before) * probabilities[place]))
        corrected[place] = highest
    return corrected


@dataclass(frozen=True, slots=True)
class WinCounts:
    """On how many tasks a run has more than another, as much, and less."""

    wins: int
    ties: int
    losses: int

    @property
    def tasks(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def balance(self) -> float | None:
        """Wins less losses as a share of the tasks, −1 to 1; None of no task."""
        return (self.wins - self.losses) / self.tasks if self.tasks else None

    def opposite(self) -> WinCounts:
        """The same where less is better."""
        return WinCounts(self.losses, self.ties, self.wins)


def win_counts(differences: Floats) -> WinCounts:
    """Count the signs of differences, NaN left out. Values that differ by rounding alone are ties."""
    known = differences[~np.isnan(differences)]
    ties = np.abs(known) < _TINY
    return WinCounts(*(int(count.sum()) for count in ((known > 0) & ~ties, ties, (known < 0) & ~ties)))


def correlation(first: Floats, second: Floats) -> float | None:
    """Pearson's r; None below three pairs, or where one side never varies."""
    if len(first) < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])
