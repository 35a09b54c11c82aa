"""The judge's score by dimension."""

from __future__ import annotations

from benchmark.reports.report import Part, Report
from benchmark.reports.statistics import estimates, known_in
from benchmark.reports.table import Cell, Chart, Column, Table
from benchmark.reports.verdicts import dimension_scores, scored, verdicts_of, who_judged

COLUMNS = (
    *(Column("dimension", "name"), Column("run", "name"), Column("judged", "count")),
    Column("score", places=1),
)


def build(report: Report) -> Table:
    """A row a dimension and run: what its rubric makes of its ratings, averaged by judged task, with its interval."""
    judged = [run for run in report.runs if any(map(scored, verdicts_of(run)))]
    blocks = [dimension_scores(run) for run in judged]
    means = estimates(blocks, report.resampler)
    rows: list[list[Cell]] = [
        [dimension.key, run.label, int(known_in(block)[at]), scores[at]]
        for at, dimension in enumerate(report.measures.dimensions)
        for run, block, scores in zip(judged, blocks, means, strict=True)
    ]
    return Table(COLUMNS, rows, who_judged(report))


CHART = Chart("bars", x="dimension", y="score", series="run", across=True, most=100)
PART = Part("judge_dimensions", build, CHART)
