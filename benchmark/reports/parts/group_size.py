"""Scores by the size of the group: the counterpart of Figure 7."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.reports.report import Part, Report
from benchmark.reports.session import RunFigures
from benchmark.reports.statistics import estimates
from benchmark.reports.table import Cell, Chart, Column, Table
from benchmark.reports.tasks import COLUMNS as TASK_COLUMNS

FIGURES = ("pc", "gf", "gu")
COLUMNS = (
    *(Column("figure", "name"), Column("run", "name"), Column("size", "count"), Column("tasks", "count")),
    Column("value"),
)


def build(report: Report) -> Table:
    """A row a figure, run and number of travellers with a table, with the interval over tasks."""
    rows = [row for run in report.runs for row in _rows(run, report)]
    rows.sort(key=lambda row: FIGURES.index(str(row[0])))
    return Table(COLUMNS, rows)


def _rows(run: RunFigures, report: Report) -> Iterator[list[Cell]]:
    for size in sorted(set(run.tasks.sizes)):
        tasks = run.tasks.where(size=size)
        found = dict(zip(TASK_COLUMNS, estimates(tasks.values, report.resampler), strict=True))
        for figure in FIGURES:
            yield [figure, run.label, size, len(tasks.ids), found[figure]]


CHART = Chart("lines", x="size", y="value", series="run", facet="figure")
PART = Part("group_size", "Figure 7", build, CHART)
