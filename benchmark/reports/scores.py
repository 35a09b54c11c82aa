"""The scores of some tasks, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from benchmark.reports.measures import Measures
from benchmark.reports.statistics import Estimate, Resampler, known_in, means_of, number, with_intervals
from benchmark.reports.tasks import Floats, TaskFigures


def scores_of(
    groups: Sequence[TaskFigures], measures: Measures, resampler: Resampler
) -> list[dict[str, Estimate]]:
    """Each score and mean for each group of tasks; those that a judge has a part in over the judged ones.

    Where a profile pools trials, a task weighs as many as it has, in each resample too.
    """
    several = [tasks for tasks in groups if len(tasks.ids) > 1]
    resampled = iter(_resample_means(several, resampler))
    places = {key: [measures.columns.index(column) for column in of] for key, of in measures.made_of.items()}
    return [_scores(tasks, places, next(resampled) if len(tasks.ids) > 1 else None) for tasks in groups]


def _resample_means(groups: Sequence[TaskFigures], resampler: Resampler) -> list[Floats]:
    means = resampler.means([_weighted_values(tasks) for tasks in groups])
    weights = [_weights(tasks, tasks.weights) for tasks in groups if tasks.weights is not None]
    mean_weights = iter(resampler.means(weights))
    with np.errstate(invalid="ignore"):
        return [
            mean if tasks.weights is None else mean / next(mean_weights)
            for tasks, mean in zip(groups, means, strict=True)
        ]


def _means(tasks: TaskFigures) -> Floats:
    means = means_of(_weighted_values(tasks))
    if tasks.weights is None:
        return means
    pooled: Floats = means / means_of(_weights(tasks, tasks.weights))
    return pooled


def _weighted_values(tasks: TaskFigures) -> Floats:
    return tasks.values if tasks.weights is None else tasks.values * tasks.weights


def _weights(tasks: TaskFigures, weights: Floats) -> Floats:
    """NaN where a task has no value."""
    known_weights: Floats = np.where(np.isnan(tasks.values), np.nan, weights)
    return known_weights


def _scores(
    tasks: TaskFigures, places: Mapping[str, Sequence[int]], resampled: Floats | None
) -> dict[str, Estimate]:
    points = _figures(_means(tasks)[None], places)[0]
    if resampled is None:
        return {key: Estimate(number(point)) for key, point in zip(places, points, strict=True)}
    known = _figures(known_in(tasks.values)[None], places)[0]
    return dict(zip(places, with_intervals(points, _figures(resampled, places), known), strict=True))


def _figures(values: Floats, places: Mapping[str, Sequence[int]]) -> Floats:
    """From rows of the figures of tasks to rows of scores. places: the columns that each is the mean of."""
    return np.stack([values[:, list(of)].mean(axis=1) for of in places.values()], axis=1)
