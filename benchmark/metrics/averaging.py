"""Averages the values of trials to those of tasks, and these to the figures of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmark.metrics.declaring import Metric, Trial, TrialRule, listed, values_of

PLACES = 6
"""To which means over a whole run are rounded."""


def known_mean(values: Sequence[float | None]) -> float | None:
    """The mean of the known values; None if none is known, so that the task does not count."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def over_tasks(tasks: Iterable[Sequence[float | None]], rule: TrialRule) -> float | None:
    """The mean over tasks of what the rule makes of each task's trials; None if no task counts."""
    means = [mean for trials in tasks if (mean := rule(trials)) is not None]
    return fmean(means) if means else None


def run_values(
    metrics: Iterable[Metric], trials: Sequence[Trial], by_profile: TrialRule, places: int
) -> dict[str, float | None]:
    """The figure of each metric over the sessions of a run, by key.

    by_profile: how the scoring profile averages the trials of a task. Means of rule metrics are rounded to `places`,
    those of raters and the figures of a run's own rules are not.
    """
    tasks = _by_task(trials)
    return {metric.key: _value(metric, trials, tasks, by_profile, places) for metric in metrics}


def aggregate(
    scores: Iterable[Mapping[str, Any]], metrics: Iterable[Metric], rule: TrialRule, places: int
) -> dict[str, float | None]:
    """Each listed metric over sessions, from their figures; as `run_values`."""
    wanted = listed(metrics)
    trials = [Trial(str(score.get("task_id")), values_of(wanted, score)) for score in scores]
    return run_values(wanted, trials, rule, places)


def _by_task(trials: Iterable[Trial]) -> Mapping[str, list[Trial]]:
    tasks: dict[str, list[Trial]] = {}
    for trial in trials:
        tasks.setdefault(trial.task, []).append(trial)
    return tasks


def _value(
    metric: Metric,
    trials: Sequence[Trial],
    tasks: Mapping[str, list[Trial]],
    by_profile: TrialRule,
    places: int,
) -> float | None:
    if metric.of_run is not None:
        return metric.of_run(trials)
    values = ([trial.values.get(metric.key) for trial in own] for own in tasks.values())
    found = over_tasks(values, metric.trials or by_profile)
    return found if found is None or metric.source == "rater" else round(found, places)
