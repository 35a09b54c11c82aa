"""Verdicts as reports read them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmark.reports.session import RunFigures, Verdict
from benchmark.reports.table import Note
from benchmark.reports.tasks import Floats

DIMENSIONS = (
    "hallucination",
    "tool_use_reasoning",
    "interaction_quality",
    "conflict_coordination",
    "plan_humanization",
)
RATINGS = (1, 2, 3, 4, 5)
NO_JUDGE = Note("no_judge")


def verdicts_of(run: RunFigures) -> Iterator[Verdict]:
    """Every verdict on its sessions."""
    for session in run.sessions:
        yield from session.verdicts


def dimension_score(verdict: Verdict, dimension: str) -> float | None:
    """100 · (r − 1)/4 · meta/5: what one dimension gives a verdict's score, on its scale of 0 to 100."""
    rating = verdict.ratings.get(dimension)
    if rating is None or verdict.meta is None:
        return None
    return 100 * (rating - 1) / 4 * verdict.meta / 5


def dimension_scores(run: RunFigures) -> Floats:
    """The mean score a task (rows) and dimension (columns) over its verdicts, NaN without any."""
    tasks: dict[str, list[list[float]]] = {}
    for session in run.sessions:
        rows = tasks.setdefault(session.task_id, [])
        rows.extend([_or_nan(dimension_score(v, d)) for d in DIMENSIONS] for v in session.verdicts)
    means = [_means(tasks[task]) for task in sorted(tasks)]
    return np.array(means, dtype=float).reshape(len(means), len(DIMENSIONS))


def _means(rows: list[list[float]]) -> list[float]:
    found = []
    for values in zip(*rows, strict=True) if rows else [()] * len(DIMENSIONS):
        known = [value for value in values if value == value]
        found.append(sum(known) / len(known) if known else float("nan"))
    return found


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value
