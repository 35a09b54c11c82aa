"""From the figures of single runs to those of a benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

from benchmark.suites.grouptravel.scoring.profile import PROFILES, TrialRule

FIGURES = ("pc", "gu", "gf", "pv")


def aggregate(
    scores: Iterable[Mapping[str, Any]], places: int = 2, profile: str = "published"
) -> dict[str, float | None]:
    """Each of FIGURES over all runs; `pv` is the share of valid plans, 0 to 1. None when there is no run at all.

    The trials of a task are averaged as the profile says: over those that have the figure, a task where none has it
    counting 0 (published), or over all, those without it scoring 0 (paper). Then the tasks are averaged; only the
    result is rounded, to `places` (2 as published). Raises KeyError for an unknown profile.
    """
    rule = PROFILES[profile].trials
    tasks: dict[Any, list[Mapping[str, Any]]] = {}
    for score in scores:
        tasks.setdefault(score.get("task_id"), []).append(score)
    return {figure: _over_tasks(figure, tasks.values(), places, rule) for figure in FIGURES}


def _over_tasks(
    figure: str, tasks: Iterable[list[Mapping[str, Any]]], places: int, rule: TrialRule
) -> float | None:
    means = [rule([_value(trial.get(figure)) for trial in trials]) for trials in tasks]
    return round(fmean(means), places) if means else None


def _value(figure: Any) -> float | None:
    return None if figure is None else float(figure)
