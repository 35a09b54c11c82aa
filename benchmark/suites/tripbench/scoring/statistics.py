"""Figures over turns, sessions and trials."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.scoring.verdict import is_loose, is_strict


class Violations(NamedTuple):
    """Of a turn; None where they were not judged."""

    feasibility: int
    soundness: int | None
    user: int | None


Judge = Callable[[Violations], bool]


def session_figures(
    sessions: Sequence[tuple[str, Sequence[Violations]]], parameters: Parameters
) -> dict[str, Any]:
    """By each verdict: of each subset, and of all tasks, the share that ends well, and the mean share of good turns.

    sessions: the subset of each, and its turns.
    """
    judges: Mapping[str, Judge] = {
        "strict": lambda turn: is_strict(*turn),
        "loose": lambda turn: is_loose(*turn, parameters),
    }
    return {name: _verdict_figures(sessions, judge) for name, judge in judges.items()}


def _verdict_figures(sessions: Sequence[tuple[str, Sequence[Violations]]], judge: Judge) -> dict[str, Any]:
    told = [(subset, [judge(turn) for turn in turns]) for subset, turns in sessions]
    subsets = {}
    for name in dict.fromkeys(subset for subset, _ in told):
        own = [hits for subset, hits in told if subset == name]
        subsets[name] = {"final": _final(own), "per_turn": _per_turn(own), "n": len(own)}
    every = [hits for _, hits in told]
    return {"subsets": subsets, "overall_final": _final(every), "overall_per_turn": _per_turn(every)}


def _final(tasks: Sequence[Sequence[bool]]) -> float | None:
    return mean([bool(hits) and hits[-1] for hits in tasks])


def _per_turn(tasks: Sequence[Sequence[bool]]) -> float | None:
    return mean([mean(hits) or 0.0 for hits in tasks])


def mean(values: Sequence[float]) -> float | None:
    """None of nothing."""
    return fmean(values) if values else None
