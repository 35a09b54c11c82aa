"""Runs over one set of tasks in the order of a figure, and those that nothing beats at their price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchmark.reports.run import RunFigures
from benchmark.reports.scores import scores_of
from benchmark.reports.statistics import LEVEL, Estimate, Resampler
from benchmark.reports.tasks import Floats
from benchmark.reports.whole_runs import whole_run_values


@dataclass(frozen=True, slots=True)
class Standing:
    """A run on the leaderboard. scores: by key; those that only a run has are without an interval.

    rank: one more than the number of runs that are better beyond chance, so that runs which cannot be told apart
    share a rank. By a figure that only a run has: than the number of those with a better figure.
    """

    run: RunFigures
    rank: int
    scores: Mapping[str, Estimate]


def standings(
    runs: Sequence[RunFigures], key: str, better: Literal["high", "low"], resampler: Resampler
) -> list[Standing]:
    """Runs in the order of a score, the best first; every run must have the same tasks, with that score on the same.

    A score that only a run has (`Measures.of_whole_runs`) must be known of every run.

    A run is better beyond chance where the 95 % bootstrap interval of the paired difference, task by task, lies
    wholly on its side. There is no correction for many runs.
    """
    if not runs:
        return []
    scores = [
        {**own, **{whole: Estimate(value) for whole, value in whole_run_values(run).items()}}
        for run, own in zip(
            runs, scores_of([run.tasks for run in runs], runs[0].measures, resampler), strict=True
        )
    ]
    sign = -1 if better == "high" else 1
    if key in runs[0].measures.made_of:
        values = np.stack([_of_tasks(run, key) for run in runs], axis=1)
        # paired differences need the figure of a task in every run
        worse = _worse(-sign * values[~np.isnan(values).any(axis=1)], resampler)
    else:
        worse = _ranks([-sign * (own[key].value or 0) for own in scores])
    standings_of_runs = [
        Standing(run, 1 + beaten, own) for run, beaten, own in zip(runs, worse, scores, strict=True)
    ]
    return sorted(
        standings_of_runs,
        key=lambda standing: (standing.rank, sign * (standing.scores[key].value or 0), standing.run.label),
    )


def _of_tasks(run: RunFigures, key: str) -> Floats:
    """A score of each task: a column, or the mean of several."""
    columns = [run.tasks.column(key) for key in run.measures.made_of[key]]
    mean: Floats = np.mean(columns, axis=0)
    return mean


def _worse(values: Floats, resampler: Resampler) -> Sequence[int]:
    """How many runs are better than each beyond chance. values: tasks × runs, the higher the better."""
    if len(values) < 2:
        return [0] * values.shape[1]
    [means] = resampler.means([values])
    low = (1 - LEVEL) / 2
    return [
        int((np.quantile(means - means[:, [own]], low, axis=0) > 0).sum()) for own in range(values.shape[1])
    ]


def _ranks(values: Sequence[float]) -> Sequence[int]:
    """How many values are higher than each."""
    return [sum(other > own for other in values) for own in values]


def scored_tasks(run: RunFigures, key: str) -> set[str]:
    """Which of its tasks have a score."""
    known = ~np.isnan(_of_tasks(run, key))
    return {task for task, has in zip(run.tasks.ids, known, strict=True) if has}


def front(points: Sequence[tuple[float, float]], better: Literal["high", "low"]) -> list[int]:
    """The places of those (cost, score) that no other beats: none is both as cheap and as good, and one of them more.

    The cheapest first: the Pareto front.
    """
    sign = 1 if better == "high" else -1
    ordered = sorted(range(len(points)), key=lambda n: (points[n][0], -sign * points[n][1]))
    best_runs: list[int] = []
    for place in ordered:
        if not best_runs or _extends_front(points[place], points[best_runs[-1]], sign):
            best_runs.append(place)
    return best_runs


def _extends_front(point: tuple[float, float], last: tuple[float, float], sign: int) -> bool:
    """Whether a point that costs no less is better than the last of the front, or just the same as it."""
    return sign * point[1] > sign * last[1] or point == last
