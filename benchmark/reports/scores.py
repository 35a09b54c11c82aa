"""The scores of some tasks, with Other and intervals."""

from __future__ import annotations

from benchmark.reports.statistics import Estimate, Resampler, estimate, means_of, number
from benchmark.reports.tasks import COLUMNS, OTHER, RULES, SCORES, Floats, TaskFigures

MEANS = {"other": OTHER, "rules": RULES}
"""Figures that are means of figures: the paper's Other, and the same without the judge."""
NAMES = (*SCORES, *MEANS)


def scores_of(tasks: TaskFigures, resampler: Resampler) -> dict[str, Estimate]:
    """Each of NAMES. A mean of figures that lacks one of them has no value: Other is never made up from three."""
    if not tasks.ids:
        return dict.fromkeys(NAMES, Estimate(None))
    points = means_of(tasks.values)
    if len(tasks.ids) < 2:
        return {name: Estimate(number(float(_figure(points, name)))) for name in NAMES}
    resampled = resampler.means(tasks.values)
    return {name: estimate(float(_figure(points, name)), _figure(resampled, name)) for name in NAMES}


def _figure(values: Floats, name: str) -> Floats:
    wanted = MEANS.get(name, (name,))
    found: Floats = values[..., [COLUMNS.index(one) for one in wanted]].mean(axis=-1)
    return found
