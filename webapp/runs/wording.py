"""How the figures of runs are shown."""

from __future__ import annotations

from collections.abc import Iterable

from benchmark.metrics import SHARED, Metric, of_runs
from webapp.runs.figures import Figures
from webapp.wording.metrics import mean_digits


def of_page(metrics: Iterable[Metric]) -> list[Metric]:
    """What the page of a run shows by difficulty."""
    return [*of_runs(metrics), *(metric for metric in SHARED if metric.key == "plans")]


def words_of(figures: Figures, metrics: Iterable[Metric]) -> list[str]:
    """Some of the figures as they are shown."""
    return [mean_digits(metric, figures.values.get(metric.key)) for metric in metrics]
