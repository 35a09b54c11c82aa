"""Means with intervals, paired comparisons, correlations: by numpy, seeded, so that a report never changes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from benchmark.reports.tasks import Floats

LEVEL = 0.95
TIMES = 2000
MANY = 5000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its interval; the ends are None where one task, or none, leaves nothing to resample."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Resampler:
    """Resamples of tasks, with replacement; the same ones for every figure of as many tasks."""

    seed: int = 0
    times: int = TIMES
    _known: dict[int, Floats] = field(default_factory=dict, compare=False, repr=False)

    def weights(self, tasks: int) -> Floats:
        """How often each task was drawn: an array of `times` rows that each sum to `tasks`.

        A quarter of the rows above MANY tasks, where they would take gigabytes and hardly differ.
        """
        if tasks not in self._known:
            self._known[tasks] = self._drawn(tasks, self.times if tasks <= MANY else self.times // 4)
        return self._known[tasks]

    def _drawn(self, tasks: int, times: int) -> Floats:
        drawn = np.random.default_rng([self.seed, tasks]).integers(0, tasks, (times, tasks))
        drawn += np.arange(times)[:, None] * tasks
        counts = np.bincount(drawn.ravel(), minlength=times * tasks)
        return counts.reshape(times, tasks).astype(float)

    def means(self, values: Floats) -> Floats:
        """The mean of every column (tasks × figures) in every resample, NaN left out; NaN where all are."""
        weights, known = self.weights(len(values)), ~np.isnan(values)
        sums, counts = weights @ np.where(known, values, 0.0), weights @ known.astype(float)
        with np.errstate(invalid="ignore"):
            found: Floats = sums / counts
        return found


def means_of(values: Floats) -> Floats:
    """The mean of every column, NaN left out; NaN for a column without a number."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        found: Floats = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    return found


def estimates(values: Floats, resampler: Resampler) -> list[Estimate]:
    """The mean of every column (tasks × figures) with the percentile interval of its bootstrap over tasks."""
    points = means_of(values)
    if len(values) < 2:
        return [Estimate(number(point)) for point in points]
    return [
        estimate(point, resampled) for point, resampled in zip(points, resampler.means(values).T, strict=True)
    ]


def estimate(point: float, resampled: Floats) -> Estimate:
    """A figure with the percentile interval of its resampled values, those that are NaN left out."""
    known = resampled[~np.isnan(resampled)]
    if np.isnan(point) or not known.size:
        return Estimate(number(point))
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(point), float(low), float(high))


def number(value: float) -> float | None:
    """A float as tables have it: None for NaN."""
    return None if np.isnan(value) else float(value)


@dataclass(frozen=True, slots=True)
class Paired:
    """What a second run has more than a first, over the tasks that have the figure in both.

    difference: its mean with the bootstrap interval. effect: Cohen's d of paired samples, the mean difference over
    the standard deviation of the differences; None when all differ alike. wins: the share of tasks on which the
    second is better, a tie counting half. p: two-sided, of the paired bootstrap; None below two tasks.
    """

    tasks: int
    difference: Estimate
    effect: float | None
    wins: float | None
    p: float | None


def paired(before: Floats, after: Floats, resampler: Resampler) -> Paired:
    """Compare two runs task by task.

    The paired bootstrap (Efron and Tibshirani 1993, chapter 16) draws tasks, never sessions: it needs no symmetric
    differences, as Wilcoxon's test does, and gives the interval and p from the same resamples. p is the share of
    resampled means, moved so that their centre is 0, that lie at least as far from 0 as the mean difference; the
    observed one counts as a resample, so that p is never 0.
    """
    differences = after - before
    differences = differences[~np.isnan(differences)]
    count = len(differences)
    if count < 2:
        mean = Estimate(float(differences[0]) if count else None)
        return Paired(count, mean, None, _wins(differences), None)
    mean, resampled = differences.mean(), resampler.means(differences[:, None])[:, 0]
    far = np.abs(resampled - mean) >= abs(mean) - 1e-12
    return Paired(
        tasks=count,
        difference=estimate(mean, resampled),
        effect=_effect(differences),
        wins=_wins(differences),
        p=float((1 + far.sum()) / (1 + len(resampled))),
    )


def _effect(differences: Floats) -> float | None:
    spread = differences.std(ddof=1)
    return float(differences.mean() / spread) if spread > 1e-12 else None


def _wins(differences: Floats) -> float | None:
    return float(((differences > 0) + 0.5 * (differences == 0)).mean()) if len(differences) else None


def correlation(first: Floats, second: Floats) -> float | None:
    """Pearson's r; None below three pairs, or where one side never varies."""
    if len(first) < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])
