"""Main results by difficulty: the counterpart of Table 1."""

from __future__ import annotations

from benchmark.reports.report import Part, Report
from benchmark.reports.scores import scores_of
from benchmark.reports.session import RunFigures
from benchmark.reports.table import Cell, Column, Note, Table

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
    rows = [row for run in report.runs for row in _rows(run, report)]
    notes = [Note("intervals")]
    if not any(session.verdicts for run in report.runs for session in run.sessions):
        notes.append(Note("no_judge_column"))
    return Table(COLUMNS, rows, notes)


def _rows(run: RunFigures, report: Report) -> list[list[Cell]]:
    parts = [("all", run.tasks)]
    known = set(run.tasks.difficulties)
    named = [level for level in DIFFICULTIES if level in known] + sorted(known - set(DIFFICULTIES))
    parts += [(level, run.tasks.where(difficulty=level)) for level in named]
    rows: list[list[Cell]] = []
    for level, tasks in parts:
        scores = scores_of(tasks, report.resampler)
        rows.append([run.label, level, len(tasks.ids), *(scores[figure.key] for figure in FIGURES)])
    return rows


PART = Part("main_results", "Table 1", build)
