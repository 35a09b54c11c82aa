"""From the figures of single runs to those of a benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

FIGURES = ("pc", "gu", "gf", "pv")


def aggregate(scores: Iterable[Mapping[str, Any]], places: int = 2) -> dict[str, float | None]:
    """Each of FIGURES over all runs; `pv` is the share of valid plans, 0 to 1. None when there is no run at all.

    The trials of a task are averaged over those that have the figure, a task where none has it counts 0, then the
    tasks are averaged; only the result is rounded, to `places` (2 as published).
    """
    tasks: dict[Any, list[Mapping[str, Any]]] = {}
    for score in scores:
        tasks.setdefault(score.get("task_id"), []).append(score)
    return {figure: _over_tasks(figure, tasks.values(), places) for figure in FIGURES}


def _over_tasks(figure: str, tasks: Iterable[list[Mapping[str, Any]]], places: int) -> float | None:
    means = [_over_trials(figure, trials) for trials in tasks]
    return round(fmean(means), places) if means else None


def _over_trials(figure: str, trials: Iterable[Mapping[str, Any]]) -> float:
    values = [float(value) for trial in trials if (value := trial.get(figure)) is not None]
    return fmean(values) if values else 0.0
