"""How the meta-judge calibrated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchmark.judging import Rubric
from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import Part, Report
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.verdicts import RATINGS, verdicts_of, who_judged
from benchmark.reports.words import PartWords

COLUMNS = (
    *(
        Column("run", "name"),
        Column("rating", "name"),
        Column("verdicts", "count"),
        Column("share", places=1),
    ),
)


def build(report: Report) -> Table:
    """A row a run and calibration score of 1 to 5: verdicts, and their percentage; all runs last.

    Rubric by rubric where the benchmark has several, which a column tells.
    """
    rubrics = report.measures.rubrics
    several = len(rubrics) > 1
    rows: list[list[Cell]] = [
        [*([rubric.metric] if several else []), *row] for rubric in rubrics for row in _rows(report, rubric)
    ]
    pooled = [Note("pooled")] if rows and len(report.runs) > 1 else []
    columns = [*([Column("rubric", "name")] if several else []), *COLUMNS]
    return Table(columns, rows, [*pooled, *who_judged(report)])


def _rows(report: Report, rubric: Rubric) -> Iterator[list[Cell]]:
    counts = [
        (
            run.label,
            Counter(v.meta for v in verdicts_of(run) if v.meta is not None and v.rubric == rubric.name),
        )
        for run in report.runs
    ]
    if len(counts) > 1:
        counts.append(("", sum((counts_of_run for _, counts_of_run in counts), Counter())))
    for label, counts_of_run in counts:
        for rating in RATINGS if counts_of_run.total() else ():
            count = counts_of_run[rating]
            yield [label, str(rating), count, 100 * count / counts_of_run.total()]


PART = Part(
    "meta_judge",
    build,
    words=PartWords(
        _("How the meta-judge calibrated"),
        _("Judgements by their calibration score of 1 to 5."),
        notes={"pooled": _("All runs: the judgements of all runs together.")},
    ),
)
