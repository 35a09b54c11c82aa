"""Misses in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from benchmark.metrics import Metric
from benchmark.misses import WASTE_KINDS, CauseWords, Miss
from benchmark.plans.view import Mark
from benchmark.suites import metrics_of
from webapp.misses.reading import misses_of
from webapp.pages import pages_of
from webapp.wording.metrics import percent_label
from webapp.wording.numbers import number_words


class Words:
    """The words of a benchmark's misses."""

    def __init__(self, suite: str) -> None:
        self._misses = misses_of(suite)
        self._issues = pages_of(suite).figures.issues
        self._plans = pages_of(suite).plans
        self._metrics = {metric.key: metric for metric in metrics_of(suite)}

    def kind(self, key: str) -> str:
        """What was missed."""
        declared = self._misses.kinds.get(key) if self._misses else None
        if declared:
            return _(declared)
        return str(self._issues.get(key, key))

    def cause(self, key: str) -> CauseWords:
        """Why, and when that is said."""
        label, meaning = self._misses.cause(key) if self._misses else CauseWords(key, "")
        return CauseWords(_(label), _(meaning) if meaning else "")

    def item(self, miss: Miss) -> str:
        """What is missed of it: what a check found in the plan, or the words of the task."""
        if miss.finding is None or self._plans is None:
            return miss.item
        return self._plans.words(Mark((), miss.finding.key, dict(miss.finding.params))).sentence

    def metric(self, key: str) -> Metric:
        """The figure that lost points."""
        return self._metrics[key]

    def metric_label(self, key: str) -> str:
        """Its short name with its unit."""
        return percent_label(self.metric(key))

    def metric_name(self, key: str) -> str:
        """What it is."""
        metric = self.metric(key)
        return _(metric.of_runs or metric.name)

    def points(self, key: str, points: float, *, signed: bool = False) -> str:
        """Points of a metric, in its unit."""
        metric = self.metric(key)
        return number_words(metric.scale * points, max(metric.digits, 2), signed=signed)


def waste_words(kind: str) -> CauseWords:
    """What a step is wasted by."""
    label, meaning = WASTE_KINDS.get(kind, CauseWords(kind, ""))
    return CauseWords(_(label), _(meaning) if meaning else "")


def share_words(share: float) -> str:
    """A share of 1 in percent, without its sign."""
    return number_words(100 * share, 1)
