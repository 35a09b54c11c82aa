"""The values of the metrics that the benchmark declares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmark.metrics import Metric
from benchmark.suites import metrics_of
from webapp.sessions.reading import Reading
from webapp.wording.metrics import ShownValue, mean_digits, shown_values


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The values of each profile and rater, and the figures with the evidence that the rules gave for them."""
    session, score = reading.session, reading.score
    groups: dict[tuple[str, str], dict[str, float]] = {}
    for row in session.values.order_by("profile", "rater"):
        groups.setdefault((row.profile, row.rater), {})[row.key] = row.value
    metrics = metrics_of(session.suite)
    return {
        "ended": session.ended,
        "groups": [
            (
                " · ".join(filter(None, of)),
                list(shown_values(metrics, values) if not of[1] else _rated_metrics(metrics, values)),
            )
            for of, values in groups.items()
        ],
        "evidence": score.figures if score else None,
    }


def _rated_metrics(metrics: Iterable[Metric], values: dict[str, float]) -> Iterable[ShownValue]:
    return (
        ShownValue(metric, mean_digits(metric, values[metric.key]))
        for metric in metrics
        if metric.key in values
    )
