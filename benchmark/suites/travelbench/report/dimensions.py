"""The final score by subset and dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Part, PartWords, Report, RunFigures, Table
from benchmark.reports.verdicts import who_judged
from benchmark.suites.travelbench.modes import DIMENSIONS, Subtask, mode_of
from benchmark.suites.travelbench.report.figures import SOLVABLE, dimension_means, sessions_of

COLUMNS = (
    *(Column("subset", "name"), Column("dimension", "name"), Column("run", "name")),
    Column("score", places=1),
)


def build(report: Report) -> Table:
    """A row a subset, dimension and run: the mean over the judged sessions that have the dimension, 0 to 100."""
    rows = [row for subset in SOLVABLE for row in _rows(report.runs, subset)]
    return Table(COLUMNS, rows, who_judged(report))


def _rows(runs: Sequence[RunFigures], subset: Subtask) -> Iterator[list[Cell]]:
    means = [(run.label, dimension_means(sessions_of(run.sessions, subset), subset)) for run in runs]
    for name in DIMENSIONS[mode_of(subset)]:
        for label, means_of_run in means:
            if name in means_of_run:
                yield [subset, name, label, means_of_run[name]]


CHART = Chart("bars", x="dimension", y="score", series="run", facet="subset", across=True, most=100)
PART = Part(
    "subset_dimensions",
    build,
    CHART,
    words=PartWords(
        _("Final scores by subset and dimension"),
        _("0 to 100, less tool errors, calibrated by the meta-judge."),
        axes={"score": _("score, 0 to 100")},
    ),
)
