"""Scores by the size of the group."""

from __future__ import annotations

import numpy as np

from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import Part, Report
from benchmark.reports.statistics import estimates
from benchmark.reports.table import NO_SESSIONS, Cell, Chart, Column, Table
from benchmark.reports.words import PartWords

FIGURES = ("pc", "gf", "gu")
COLUMNS = (
    *(Column("figure", "name"), Column("run", "name"), Column("size", "count"), Column("tasks", "count")),
    Column("value"),
)


def build(report: Report) -> Table:
    """A row a figure, run and size of the whole group, with the interval over tasks."""
    groups = [
        (run, size, run.tasks.where("size", size))
        for run in report.runs
        for size in sorted(set(run.tasks.cells("size")))
    ]
    blocks = [np.stack([tasks.column(figure) for figure in FIGURES], axis=1) for _, _, tasks in groups]
    means = estimates(blocks, report.resampler)
    rows: list[list[Cell]] = [
        [figure, run.label, size, len(tasks.ids), values[at]]
        for at, figure in enumerate(FIGURES)
        for (run, size, tasks), values in zip(groups, means, strict=True)
    ]
    return Table(COLUMNS, rows, [] if rows else [NO_SESSIONS])


CHART = Chart("lines", x="size", y="value", series="run", facet="figure")
PART = Part(
    "group_size",
    build,
    CHART,
    words=PartWords(
        _("Scores by size of the group"),
        _(
            "The size counts the whole group, including young children without a preference "
            "table, like the paper's N. Bars are 95 % intervals over tasks; a single task has "
            "none."
        ),
        columns={"size": _("people in the group")},
        axes={"gu": _("points"), "pc": _("%"), "gf": _("%")},
    ),
)
