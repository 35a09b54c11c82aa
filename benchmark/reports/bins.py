"""Tasks by how much of something they had: shares that can be laid over each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmark.reports.report import Report
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import Floats

ALL_RUNS = ""
COLUMNS = (Column("run", "name"), Column("bin", "name"), Column("share", places=1), Column("tasks", "count"))


def distribution(report: Report, figure: str, edges: Sequence[float], names: Sequence[str]) -> Table:
    """The share of tasks (0 to 100) whose mean over trials lies in each bin, by run.

    edges: the lower ends of the bins in order, the last one open. With several runs the first rows, under ALL_RUNS,
    average the runs' shares.
    """
    runs = [(run.label, run.tasks.column(figure)) for run in report.runs if run.tasks.ids]
    counts = [_counted(values, edges) for _, values in runs]
    rows: list[list[Cell]] = []
    if len(runs) > 1:
        shares = np.mean([100 * found / found.sum() for found in counts], axis=0)
        whole = np.sum(counts, axis=0)
        rows += _rows(ALL_RUNS, names, shares, whole)
    for (label, _), found in zip(runs, counts, strict=True):
        rows += _rows(label, names, 100 * found / found.sum(), found)
    notes = [
        Note("mean_of", {"run": label, "mean": float(values.mean()), "std": float(values.std())})
        for label, values in runs
    ]
    return Table(COLUMNS, rows, notes)


def _counted(values: Floats, edges: Sequence[float]) -> Floats:
    found: Floats = np.histogram(values, [*edges, np.inf])[0].astype(float)
    return found


def _rows(label: str, names: Sequence[str], shares: Floats, counts: Floats) -> list[list[Cell]]:
    return [
        [label, name, float(share), int(count)]
        for name, share, count in zip(names, shares, counts, strict=True)
    ]


def even_bins(largest: float, most: int = 20) -> tuple[list[float], list[str]]:
    """At most `most` bins of one round width from 0 past the largest value: their lower ends and their names."""
    steps = (step * 10**power for power in range(9) for step in (1, 2, 5))
    width = next(step for step in steps if largest / step < most)
    edges = [float(width * number) for number in range(int(largest // width) + 1)]
    return edges, [f"[{edge:.0f}, {edge + width:.0f})" for edge in edges]
