"""How often the judge gave each rating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.table import Cell, Chart, Column, Table
from benchmark.reports.verdicts import rated, verdicts_of, who_judged
from benchmark.reports.words import PartWords

COLUMNS = (
    *(Column("run", "name"), Column("dimension", "name"), Column("rating", "name")),
    *(Column("verdicts", "count"), Column("share", places=1)),
)


def build(report: Report) -> Table:
    """A row a run, dimension and rating on its scale: verdicts, and their percentage."""
    rows = [row for run in report.runs for row in _rows(run)]
    return Table(COLUMNS, rows, who_judged(report, rated))


def _rows(run: RunFigures) -> Iterator[list[Cell]]:
    counts = Counter(rating for verdict in verdicts_of(run) for rating in verdict.ratings.items())
    for dimension in run.measures.dimensions:
        whole = sum(counts[dimension.key, rating] for rating in dimension.scale)
        for rating in dimension.scale if whole else ():
            count = counts[dimension.key, rating]
            yield [run.label, dimension.key, str(rating), count, 100 * count / whole]


CHART = Chart("stacked", x="dimension", y="share", series="rating", facet="run", across=True, most=100)
PART = Part(
    "judge_ratings",
    build,
    CHART,
    words=PartWords(
        _("How the judge rated"),
        _("Percentage of judgements with each rating of 1 to 5."),
        axes={"share": _("% of judgements")},
    ),
)
