"""Metrics: what a figure is called, how it reads, and how the values of trials, tasks and runs are put together."""

from benchmark.metrics.averaging import PLACES, aggregate, known_mean, run_values
from benchmark.metrics.declaring import (
    Metric,
    Trial,
    TrialRule,
    Values,
    gettext_noop,
    listed,
    of_rules,
    of_runs,
    side_by_side,
    values_of,
)
from benchmark.metrics.evidence import evidence_digest

__all__ = [
    "PLACES",
    "Metric",
    "Trial",
    "TrialRule",
    "Values",
    "aggregate",
    "evidence_digest",
    "gettext_noop",
    "known_mean",
    "listed",
    "of_rules",
    "of_runs",
    "run_values",
    "side_by_side",
    "values_of",
]
