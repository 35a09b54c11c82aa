"""Figures over several trials of the same tasks: how often one of k passes, or all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from statistics import fmean
from typing import Final, Literal

from benchmark.metrics import Averaging, RunRule, Trial

PassFigure = Literal["pass@k", "pass^k", "avg@k"]
PASS_FIGURES: Final[tuple[PassFigure, ...]] = ("pass@k", "pass^k", "avg@k")
"""The chance that one of k trials passes, that all of them do, and the share of the first k that do."""


def pass_figures(
    trials: Sequence[Sequence[int]], ks: Sequence[int]
) -> dict[str, dict[str, float | int | None]]:
    """The figures by k, with the number of `tasks`: those that have at least k trials.

    trials: 1 or 0 for each trial of each task.
    """
    return {str(k): _figures([task for task in trials if len(task) >= k], k) for k in ks}


def _figures(tasks: Sequence[Sequence[int]], k: int) -> dict[str, float | int | None]:
    counts = [(len(task), sum(task)) for task in tasks]
    return {
        "pass@k": _mean([1 - comb(n - right, k) / comb(n, k) for n, right in counts]),
        "pass^k": _mean([comb(right, k) / comb(n, k) for n, right in counts]),
        "avg@k": _mean([fmean(task[:k]) for task in tasks]),
        "tasks": len(tasks),
    }


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def rule_of_passes(flag: str, figure: PassFigure, k: int) -> RunRule:
    """One of the figures of a run, by a metric that is 1 for sessions that pass. A session without it fails."""

    def rule(trials: Sequence[Trial], by_profile: Averaging) -> float | None:
        tasks: dict[str, list[int]] = {}
        for trial in trials:
            tasks.setdefault(trial.task, []).append(int(trial.values.get(flag) or 0))
        by_k: Mapping[str, float | int | None] = pass_figures([*tasks.values()], [k])[str(k)]
        return by_k[figure]

    return rule
