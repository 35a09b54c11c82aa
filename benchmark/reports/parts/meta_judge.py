"""How the meta-judge calibrated."""

from __future__ import annotations

from collections import Counter

from benchmark.reports.report import Part, Report
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.verdicts import RATINGS, verdicts_of, who_judged

COLUMNS = (
    *(
        Column("run", "name"),
        Column("rating", "name"),
        Column("verdicts", "count"),
        Column("share", places=1),
    ),
)


def build(report: Report) -> Table:
    """A row a run and calibration score of 1 to 5: verdicts, and their percentage; all runs last."""
    counts = [
        (run.label, Counter(v.meta for v in verdicts_of(run) if v.meta is not None)) for run in report.runs
    ]
    if len(counts) > 1:
        counts.append(("", sum((counts_of_run for _, counts_of_run in counts), Counter())))
    rows: list[list[Cell]] = [
        [label, str(rating), counts_of_run[rating], 100 * counts_of_run[rating] / counts_of_run.total()]
        for label, counts_of_run in counts
        if counts_of_run.total()
        for rating in RATINGS
    ]
    pooled = [Note("pooled")] if rows and len(report.runs) > 1 else []
    return Table(COLUMNS, rows, [*pooled, *who_judged(report)])


PART = Part("meta_judge", build)
