"""Which metrics a suite declares. A suite will carry its own list; until then it stands here."""

from __future__ import annotations

from benchmark.metrics import Metric
from benchmark.suites.grouptravel.metrics import METRICS

BY_SUITE: dict[str, tuple[Metric, ...]] = {"grouptravel": METRICS}


def metrics_of(suite: str = "grouptravel") -> tuple[Metric, ...]:
    """The metrics of a suite, in the order in which a session shows them. Raises KeyError for an unknown suite."""
    return BY_SUITE[suite]
