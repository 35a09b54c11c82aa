"""From the figures of single runs to those of a benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchmark.metrics import Metric, Trial, listed, run_values, values_of
from benchmark.suites.grouptravel.metrics import METRICS
from benchmark.suites.grouptravel.scoring.profile import PROFILES


def aggregate(
    scores: Iterable[Mapping[str, Any]],
    places: int = 2,
    profile: str = "published",
    metrics: Iterable[Metric] = METRICS,
) -> dict[str, float | None]:
    """Each metric of the rules over all runs; `pv` is the share of valid plans, 0 to 1. None when there is no run.

    The trials of a task are averaged as the profile says: over those that have the figure, a task where none has it
    counting 0 (published), or over all, those without it scoring 0 (paper). Then the tasks are averaged; only the
    result is rounded, to `places` (2 as published). Raises KeyError for an unknown profile.
    """
    rule = PROFILES[profile].trials
    wanted = listed(metrics)
    trials = [Trial(str(score.get("task_id")), values_of(wanted, score)) for score in scores]
    return run_values(wanted, trials, rule, places)
