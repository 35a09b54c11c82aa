"""How the judge rated the sessions of each subset, dimension by dimension."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Part, PartWords, Report, RunFigures, Table
from benchmark.reports.verdicts import RATINGS, rated, who_judged
from benchmark.suites.travelbench.modes import DIMENSIONS, Subtask, mode_of
from benchmark.suites.travelbench.report.figures import sessions_of

COLUMNS = (
    *(Column("run", "name"), Column("dimension", "name"), Column("rating", "name")),
    *(Column("verdicts", "count"), Column("share", places=1)),
)


def _build(report: Report, *, subset: Subtask) -> Table:
    """A row a run, dimension and rating of 1 to 5: verdicts that rate the dimension, and their percentage."""
    rows = [row for run in report.runs for row in _rows(run, subset)]
    return Table(COLUMNS, rows, who_judged(report, rated))


def _rows(run: RunFigures, subset: Subtask) -> Iterator[list[Cell]]:
    verdicts = [verdict for session in sessions_of(run.sessions, subset) for verdict in session.verdicts]
    counts = Counter(rating for verdict in verdicts for rating in verdict.ratings.items())
    for dimension in DIMENSIONS[mode_of(subset)]:
        whole = sum(counts[dimension, rating] for rating in RATINGS)
        for rating in RATINGS if whole else ():
            count = counts[dimension, rating]
            yield [run.label, dimension, str(rating), count, 100 * count / whole]


CHART = Chart("stacked", x="dimension", y="share", series="rating", facet="run", across=True, most=100)


def _words(title: str) -> PartWords:
    about = _("Percentage of judgements with each rating of 1 to 5.")
    return PartWords(title, about, axes={"share": _("% of judgements")})


MULTI = Part(
    "multi_ratings",
    partial(_build, subset="multi"),
    CHART,
    words=_words(_("How the judge rated multi-turn sessions")),
)
SINGLE = Part(
    "single_ratings",
    partial(_build, subset="single"),
    CHART,
    words=_words(_("How the judge rated single-turn sessions")),
)
