"""How the figures of runs are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from benchmark.metrics import Mean, Metric, of_runs
from benchmark.suites import metrics_of, suite_named
from webapp.runs.figures import PLANS, Figures, shared_metrics
from webapp.wording.metrics import Head, mean_digits, run_head
from webapp.wording.numbers import number_words


def of_page(suite: str) -> list[Metric]:
    """What the page of a run of a benchmark shows by difficulty."""
    plans = [metric for metric in shared_metrics(suite) if metric.key == PLANS]
    return [*of_runs(metrics_of(suite)), *plans]


class ShownMean(NamedTuple):
    """A figure of a run as it is shown. coverage: of how many tasks or trials it is, "" where it is of all."""

    value: str
    coverage: str


def shown_mean(metric: Metric, mean: Mean | None) -> ShownMean:
    """A dash for none."""
    if mean is None:
        return ShownMean(mean_digits(metric, None), "")
    counts = _("%(n)s of %(of)s") % {"n": number_words(mean.n, 0), "of": number_words(mean.of, 0)}
    return ShownMean(mean_digits(metric, mean.value), counts if mean.is_of_some else "")


def shown_means(figures: Figures, metrics: Iterable[Metric]) -> list[ShownMean]:
    """Some of the figures as they are shown."""
    return [shown_mean(metric, figures.means.get(metric.key)) for metric in metrics]


def means_by_group(
    suite: str, levels: Sequence[Figures]
) -> list[tuple[str, list[tuple[Head, list[ShownMean]]]]]:
    """The means of each group of a benchmark's metrics, a line a metric with a mean a level; none without groups."""
    grouped = []
    for group in suite_named(suite).scoring.groups:
        own = [metric for metric in of_runs(metrics_of(suite)) if metric.group == group.key]
        lines = [
            (run_head(metric), [shown_mean(metric, f.means.get(metric.key)) for f in levels])
            for metric in own
        ]
        grouped.append((_(group.label), lines))
    return grouped
