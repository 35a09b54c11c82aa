"""Verdicts as reports read them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmark.judging import DIMENSIONS
from benchmark.reports.report import Report
from benchmark.reports.session import RunFigures, Verdict
from benchmark.reports.table import Note
from benchmark.reports.tasks import Floats

RATINGS = (1, 2, 3, 4, 5)
NO_JUDGE = Note("no_judge")


def verdicts_of(run: RunFigures) -> Iterator[Verdict]:
    """Every verdict on its sessions."""
    for session in run.sessions:
        yield from session.verdicts


def who_judged(report: Report) -> list[Note]:
    """Whose verdicts a report holds, pair by pair; that there is none."""
    pairs = {(verdict.judge, verdict.meta_judge) for run in report.runs for verdict in verdicts_of(run)}
    return [Note("judged_by", {"judge": judge, "meta": meta}) for judge, meta in sorted(pairs)] or [NO_JUDGE]


def dimension_scores(run: RunFigures) -> Floats:
    """The mean score a task (rows, by id) and dimension (columns) over its verdicts, NaN without any.

    100 · (r − 1)/4 · meta/5: what one dimension gives a verdict's score, on its scale of 0 to 100.
    """
    known = [
        (run.tasks.place[session.task_id], verdict)
        for session in run.sessions
        for verdict in session.verdicts
        if verdict.meta is not None
    ]
    ratings = np.array([_ratings(verdict) for _, verdict in known]).reshape(len(known), len(DIMENSIONS))
    metas = np.array([verdict.meta for _, verdict in known], dtype=float)
    scores = 100 * (ratings - 1) / 4 * metas[:, None] / 5
    rows = np.array([row for row, _ in known], dtype=int)
    return _by_task(scores, rows, len(run.tasks.ids))


def _ratings(verdict: Verdict) -> list[float]:
    return [verdict.ratings.get(dimension, np.nan) for dimension in DIMENSIONS]


def _by_task(scores: Floats, rows: NDArray[np.int_], tasks: int) -> Floats:
    known = ~np.isnan(scores)
    sums, counts = (
        np.stack([np.bincount(rows, column, tasks) for column in columns.T], axis=1)
        for columns in (np.where(known, scores, 0.0), known.astype(float))
    )
    with np.errstate(invalid="ignore"):
        found: Floats = sums / counts
    return found
