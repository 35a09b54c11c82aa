"""Main results by difficulty: the counterpart of Table 1."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.reports.judged import who_judged
from benchmark.reports.report import Part, Report
from benchmark.reports.scores import scores_of
from benchmark.reports.session import RunFigures
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import TaskFigures

DIFFICULTIES = ("easy", "medium", "hard")
FIGURES = (
    *(Column("gu"), Column("pc", places=1), Column("gf", places=1), Column("pv", places=1)),
    *(Column("judge", places=1), Column("other", places=1), Column("rules", places=1)),
)
COLUMNS = (Column("run", "name"), Column("difficulty", "name"), Column("tasks", "count"), *FIGURES)


def build(report: Report) -> Table:
    """A row a run and difficulty, `all` first; each figure with its 95 % interval over tasks.

    GU in points, the rest 0 to 100. judge and other are empty until a judge has rated; rules: the mean of PC, GF and
    PV.
    """
    groups = [(run, *group) for run in report.runs for group in _groups(run)]
    scores = scores_of([tasks for _, _, tasks in groups], report.resampler)
    rows: list[list[Cell]] = [
        [run.label, level, len(tasks.ids), *(found[figure.key] for figure in FIGURES)]
        for (run, level, tasks), found in zip(groups, scores, strict=True)
    ]
    return Table(COLUMNS, rows, [Note("intervals"), *who_judged(report)])


def _groups(run: RunFigures) -> Iterator[tuple[str, TaskFigures]]:
    yield "all", run.tasks
    known = set(run.tasks.difficulties)
    named = [level for level in DIFFICULTIES if level in known] + sorted(known - set(DIFFICULTIES))
    for level in named:
        yield level, run.tasks.where(difficulty=level)


PART = Part("main_results", "Table 1", build)
