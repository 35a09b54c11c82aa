"""The judge's score by dimension."""

from __future__ import annotations

from benchmark.judging import Rubric
from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import Part, Report
from benchmark.reports.session import Verdict
from benchmark.reports.statistics import estimates, known_in
from benchmark.reports.table import Cell, Chart, Column, Table
from benchmark.reports.verdicts import dimension_scores, scored, verdicts_of, who_judged
from benchmark.reports.words import PartWords

COLUMNS = (
    *(Column("dimension", "name"), Column("run", "name"), Column("judged", "count")),
    Column("score", places=1),
)


def build(report: Report) -> Table:
    """A row a dimension and run: what its rubric makes of its ratings, averaged by judged task, with its interval."""
    rows = [row for rubric in report.measures.rubrics for row in _rows(report, rubric)]
    return Table(COLUMNS, rows, who_judged(report))


def _rows(report: Report, rubric: Rubric) -> list[list[Cell]]:
    judged = [run for run in report.runs if any(_counts(verdict, rubric) for verdict in verdicts_of(run))]
    blocks = [dimension_scores(run, rubric) for run in judged]
    means = estimates(blocks, report.resampler)
    return [
        [name, run.label, int(known_in(block)[at]), scores[at]]
        for at, name in enumerate(rubric.names)
        for run, block, scores in zip(judged, blocks, means, strict=True)
    ]


def _counts(verdict: Verdict, rubric: Rubric) -> bool:
    return scored(verdict) and verdict.rubric == rubric.name


CHART = Chart("bars", x="dimension", y="score", series="run", across=True, most=100)
PART = Part(
    "judge_dimensions",
    build,
    CHART,
    words=PartWords(
        _("The judge's score by dimension"),
        _(
            "0 to 100, calibrated by the meta-judge if there is one. Bars are 95 % intervals over "
            "tasks; a single task has none."
        ),
        axes={"score": _("score, 0 to 100")},
    ),
)
