"""The scores of some tasks, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmark.reports.statistics import Estimate, Resampler, known_in, means_of, number, with_intervals
from benchmark.reports.tasks import COLUMNS, RULES, SCORES, Floats, TaskFigures

NAMES = (*SCORES, "other", "rules")
"""rules: the mean of RULES, the paper's Other without the judge."""
_MADE_OF = {"rules": RULES}


def scores_of(groups: Sequence[TaskFigures], resampler: Resampler) -> list[dict[str, Estimate]]:
    """Each of NAMES for each group of tasks; judge and other over the judged ones."""
    several = [tasks.values for tasks in groups if len(tasks.ids) > 1]
    resampled = iter(resampler.means(several))
    return [_scores(tasks, next(resampled) if len(tasks.ids) > 1 else None) for tasks in groups]


def _scores(tasks: TaskFigures, resampled: Floats | None) -> dict[str, Estimate]:
    points = _figures(means_of(tasks.values)[None])[0]
    if resampled is None:
        return {name: Estimate(number(point)) for name, point in zip(NAMES, points, strict=True)}
    known = _figures(known_in(tasks.values)[None])[0]
    return dict(zip(NAMES, with_intervals(points, _figures(resampled), known), strict=True))


def _figures(values: Floats) -> Floats:
    """From rows of the figures of tasks to rows of NAMES."""
    columns = [values[:, [COLUMNS.index(one) for one in _MADE_OF.get(name, (name,))]] for name in NAMES]
    return np.stack([column.mean(axis=1) for column in columns], axis=1)
