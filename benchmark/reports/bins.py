"""Tasks by how much of something they had: shares that can be laid over each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmark.reports.report import Report
from benchmark.reports.table import NO_SESSIONS, Cell, Column, Note, Table
from benchmark.reports.tasks import Floats

ALL_RUNS = ""
COLUMNS = (Column("run", "name"), Column("bin", "name"), Column("share", places=1), Column("tasks", "count"))


def distribution(report: Report, figure: str, edges: Sequence[float], names: Sequence[str]) -> Table:
    """The share of tasks (0 to 100) whose mean over trials lies in each bin, by run.

    edges: the lower ends of the bins in order, the last one open. With several runs the first rows, under ALL_RUNS,
    average the runs' shares, whatever their numbers of tasks.
    """
    runs = [(run.label, run.tasks.column(figure)) for run in report.runs if run.tasks.ids]
    counts = [_count_values(values, edges) for _, values in runs]
    if not runs:
        return Table(COLUMNS, [], [NO_SESSIONS])
    rows: list[list[Cell]] = []
    if len(runs) > 1:
        shares = np.mean([100 * counts_of_run / counts_of_run.sum() for counts_of_run in counts], axis=0)
        whole = np.sum(counts, axis=0)
        rows += _rows(ALL_RUNS, names, shares, whole)
    for (label, _), counts_of_run in zip(runs, counts, strict=True):
        rows += _rows(label, names, 100 * counts_of_run / counts_of_run.sum(), counts_of_run)
    notes = [
        Note(
            "mean_of",
            {"run": label, "mean": float(values.mean()), "std": _deviation(values), "n": len(values)},
        )
        for label, values in runs
    ]
    return Table(COLUMNS, rows, [Note("mean_of_shares"), *notes] if len(runs) > 1 else notes)


def _deviation(values: Floats) -> float | None:
    """The standard deviation (n − 1); None of one value."""
    return float(values.std(ddof=1)) if len(values) > 1 else None


def _count_values(values: Floats, edges: Sequence[float]) -> Floats:
    counts: Floats = np.histogram(values, [*edges, np.inf])[0].astype(float)
    return counts


def _rows(label: str, names: Sequence[str], shares: Floats, counts: Floats) -> list[list[Cell]]:
    return [
        [label, name, float(share), int(count)]
        for name, share, count in zip(names, shares, counts, strict=True)
    ]


def even_bins(values: Floats, most: int = 20) -> tuple[list[float], list[str]]:
    """At most `most` bins of one round width from 0 past the largest value: their lower ends and their names.

    Whole values are in `0–19`; others, as means over trials are, in `0 to < 20`.
    """
    largest, whole = float(values.max(initial=0.0)), not np.any(values % 1)
    steps = (step * 10**power for power in range(9) for step in (1, 2, 5))
    width = next(step for step in steps if largest / step < most)
    edges = [width * number for number in range(int(largest // width) + 1)]
    return [float(edge) for edge in edges], [_bin_name(edge, width, whole) for edge in edges]


def _bin_name(edge: int, width: int, whole: bool) -> str:
    if not whole:
        return f"{edge} to < {edge + width}"
    return str(edge) if width == 1 else f"{edge}–{edge + width - 1}"
