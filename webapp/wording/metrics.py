"""Metrics in words: heads of columns, values of sessions, means of runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from benchmark.core.sheets import UNCOUNTED
from benchmark.metrics import Metric, Values, column_metrics, summary_metrics
from benchmark.suites import metrics_of
from webapp.wording.numbers import number_words

_REASONS = {
    "undefined": gettext_lazy("nothing to divide by"),
    "unreadable": gettext_lazy("missing or unreadable"),
    UNCOUNTED: gettext_lazy("not counted in means"),
    "not_reached": gettext_lazy("the session ended before"),
    "refused": gettext_lazy("could not be read"),
    "unjudged": gettext_lazy("no judge yet"),
}
"""Why a figure has no value, by `benchmark.core.sheets.Reason`, or why one does not count."""


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value as a page shows it.

    tone: good, bad or nothing. reason: why there is none, as far as it is known. number: whether it stands to the
    right.
    """

    metric: Metric
    value: str
    tone: str = ""
    reason: str = ""

    @property
    def name(self) -> str:
        """What it is the value of."""
        return _(self.metric.name)

    @property
    def help(self) -> str:
        """What that means, in one line."""
        return _(self.metric.help) if self.metric.help else ""

    @property
    def number(self) -> bool:
        """Whether it is a number."""
        return self.metric.unit != "flag"


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column."""

    label: str
    title: str
    number: bool = True


def session_head(metric: Metric) -> Head:
    """Over values of sessions: a flag is no percentage."""
    label = percent_label(metric) if metric.unit == "share" else _(metric.label)
    return Head(label, _(metric.name), metric.unit != "flag")


def run_head(metric: Metric) -> Head:
    """Over means."""
    return Head(percent_label(metric), _(metric.of_runs or metric.name))


def percent_label(metric: Metric) -> str:
    """The short name of a metric, with the sign of its unit."""
    return f"{_(metric.label)} %" if metric.in_percent else _(metric.label)


def columns_together(suites: Iterable[str]) -> list[Metric]:
    """What a list of sessions or runs of some benchmarks can show of each; a key that several have, once."""
    return list({m.key: m for suite in suites for m in column_metrics(metrics_of(suite))}.values())


def listed_together(suites: Iterable[str]) -> list[Metric]:
    """What it shows until somebody chooses: of groups of metrics the headlines alone."""
    return summary_metrics(columns_together(suites))


def shown_values(
    metrics: Iterable[Metric], values: Values, missing: Mapping[str, Mapping[str, str]] = {}
) -> Iterator[ShownValue]:
    """A session's values in the order of the metrics; a dash for what there is not, with what is known of why.

    missing: as a score has it (`Sheet.as_json`). What only some tasks have is left out of the others.
    """
    declared = list(metrics)
    details = {metric.detail_of: metric for metric in declared if metric.detail_of}
    for metric in column_metrics(declared):
        why = missing.get(metric.key)
        if metric.partial and values.get(metric.key) is None and why is None:
            continue
        shown = _shown_value(metric, values, details.get(metric.key))
        yield shown if why is None else replace(shown, reason=_reason_words(why))


def _reason_words(why: Mapping[str, str]) -> str:
    reason = str(_REASONS.get(why["reason"], why["reason"]))
    return f"{reason} ({why['field']})" if why["field"] else reason


def _shown_value(metric: Metric, values: Values, detail: Metric | None) -> ShownValue:
    value = values.get(metric.key)
    if metric.unit == "count":
        return ShownValue(metric, number_words(value, 0))
    if metric.unit != "flag" or value is None:
        return ShownValue(metric, mean_digits(metric, value))
    if value:
        return ShownValue(metric, _(metric.met_words), "good")
    if metric.missed_words:
        return ShownValue(metric, _(metric.missed_words), "bad")
    return ShownValue(metric, missed_words((values.get(detail.key) if detail else None) or 0), "bad")


def missed_words(issues: float) -> str:
    """How far a flag is missed."""
    return ngettext("%(n)s issue", "%(n)s issues", int(issues)) % {"n": int(issues)}


def mean_digits(metric: Metric, value: float | None) -> str:
    """A value or a mean as a number alone; a dash for none."""
    return number_words(_scale(metric, value), metric.digits)


def value_digits(metric: Metric, value: float | None) -> str:
    """The same beside values of sessions, where a count has decimals only if it is a mean that needs them."""
    if metric.unit == "count" and value is not None and value.is_integer():
        return number_words(value, 0)
    return mean_digits(metric, value)


def mean_words(metric: Metric, value: float | None) -> str:
    """A mean with its name and unit, for a line of text: `PC 33.3 %`."""
    return f"{_(metric.label)} {mean_digits(metric, value)}{' %' if metric.in_percent else ''}"


def change_words(metric: Metric, value: float | None) -> str:
    """A difference with its sign, in points where the figure is a share; "" for none."""
    return "" if value is None else number_words(_scale(metric, value), metric.digits, signed=True)


def _scale(metric: Metric, value: float | None) -> float | None:
    return None if value is None else metric.scale * value
