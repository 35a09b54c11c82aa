"""How the figures of runs are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.metrics import Mean, Metric, of_runs
from benchmark.suites import metrics_of, suite_named
from webapp.runs.estimation import Estimate, Range
from webapp.runs.figures import PLANS, Figures, shared_metrics
from webapp.wording.lists import join_items
from webapp.wording.metrics import Head, mean_digits, run_head
from webapp.wording.numbers import duration_words, number_words


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


def estimate_words(estimate: Estimate) -> str:
    """What a run is expected to take: tokens, costs and time, each with its bounds; "" where it is nothing."""
    parts = []
    if estimate.tokens.high:
        parts.append(_range_words(estimate.tokens, _rounded_words, _("tokens")))
    for currency, costs in estimate.costs.items():
        parts.append(_range_words(costs, partial(number_words, places=4 if costs.high < 1 else 2), currency))
    if estimate.seconds is not None:
        parts.append(_range_words(estimate.seconds, duration_words))
    return _("Expected: %(parts)s.") % {"parts": "; ".join(parts)} if parts else ""


def _rounded_words(amount: float) -> str:
    """An expected number to three digits: more would be no knowledge."""
    return number_words(float(f"{amount:.3g}"), 0)


def _range_words(expected: Range, words: Callable[[float], str], unit: str = "") -> str:
    low, high = words(expected.low), words(expected.high)
    mean = f"{words(expected.mean)} {unit}".strip()
    if low == high:
        return mean
    return _("%(mean)s (%(low)s to %(high)s)") % {"mean": mean, "low": low, "high": high}


def estimate_basis_words(estimate: Estimate) -> str:
    """What that is told from, and what it leaves out."""
    n = estimate.sessions
    if estimate.same_players:
        words = ngettext(
            "From the last %(n)s session of these participants and models.",
            "From the last %(n)s sessions of these participants and models.",
            n,
        )
    else:
        words = ngettext(
            "A rough figure, from the last %(n)s session of these participants with other models.",
            "A rough figure, from the last %(n)s sessions of these participants with other models.",
            n,
        )
    parts = [words % {"n": n}]
    if estimate.seconds is not None:
        pace = _("The time is that of %(n)s sessions at once.")
        parts.append(pace % {"n": number_words(estimate.at_once, 1)})
    if estimate.models_without_price:
        parts.append(
            _("No price is set for %(models)s.") % {"models": join_items(estimate.models_without_price)}
        )
    return " ".join(parts)
