"""How the figures of runs are shown."""

from __future__ import annotations

from collections.abc import Iterable

from benchmark.metrics import Metric, of_runs
from benchmark.suites import metrics_of
from webapp.runs.figures import PLANS, Figures, shared_metrics
from webapp.wording.metrics import mean_digits


def of_page(suite: str) -> list[Metric]:
    """What the page of a run of a benchmark shows by difficulty."""
    plans = [metric for metric in shared_metrics(suite) if metric.key == PLANS]
    return [*of_runs(metrics_of(suite)), *plans]


def words_of(figures: Figures, metrics: Iterable[Metric]) -> list[str]:
    """Some of the figures as they are shown."""
    return [mean_digits(metric, figures.values.get(metric.key)) for metric in metrics]
