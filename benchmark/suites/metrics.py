"""The metrics of a suite by its name."""

from __future__ import annotations

from benchmark.metrics import Metric
from benchmark.suites import FIRST, suite_named


def metrics_of(suite: str = FIRST) -> tuple[Metric, ...]:
    """The metrics of a suite, in the order in which a session shows them. Raises KeyError for an unknown suite."""
    return suite_named(suite).metrics
