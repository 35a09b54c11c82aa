"""The scores of some tasks, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmark.reports.statistics import Estimate, Resampler, known_in, means_of, number, with_intervals
from benchmark.reports.tasks import Floats, TaskFigures, columns, scores
from benchmark.suites.grouptravel.metrics import OTHER

_MADE_OF = {"rules": OTHER}


def names() -> tuple[str, ...]:
    """The scores, then `rules`: the paper's Other without the judge."""
    return (*scores(), "rules")


def scores_of(groups: Sequence[TaskFigures], resampler: Resampler) -> list[dict[str, Estimate]]:
    """Each of `names` for each group of tasks; judge and other over the judged ones."""
    several = [tasks.values for tasks in groups if len(tasks.ids) > 1]
    resampled = iter(resampler.means(several))
    return [_scores(tasks, next(resampled) if len(tasks.ids) > 1 else None) for tasks in groups]


def _scores(tasks: TaskFigures, resampled: Floats | None) -> dict[str, Estimate]:
    points = _figures(means_of(tasks.values)[None])[0]
    if resampled is None:
        return {name: Estimate(number(point)) for name, point in zip(names(), points, strict=True)}
    known = _figures(known_in(tasks.values)[None])[0]
    return dict(zip(names(), with_intervals(points, _figures(resampled), known), strict=True))


def _figures(values: Floats) -> Floats:
    """From rows of the figures of tasks to rows of `names`."""
    places = {name: at for at, name in enumerate(columns())}
    found = [values[:, [places[one] for one in _MADE_OF.get(name, (name,))]] for name in names()]
    return np.stack([column.mean(axis=1) for column in found], axis=1)
