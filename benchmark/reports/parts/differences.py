"""Runs against the first of them over the tasks that both have. The paper has no counterpart."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.reports.report import Part, Report
from benchmark.reports.session import RunFigures
from benchmark.reports.statistics import Estimate, Paired, paired
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import COLUMNS as TASK_COLUMNS
from benchmark.reports.tasks import OTHER, SCORES, Floats, TaskFigures

FIGURES = (*SCORES, "other")
COLUMNS = (
    *(Column("figure", "name"), Column("run", "name"), Column("against", "name"), Column("tasks", "count")),
    *(Column("difference", signed=True), Column("effect", signed=True), Column("wins", places=1)),
    Column("p", places=4),
)


def build(report: Report) -> Table:
    """A row a figure and run after the first: mean difference a task with its interval, Cohen's d of pairs, p.

    wins: the percentage of tasks on which the run is better than the first, a tie counting half.
    """
    if len(report.runs) < 2:
        return Table(COLUMNS, [], [Note("one_run")])
    rows = [row for run in report.runs[1:] for row in _rows(report.runs[0], run, report)]
    return Table(
        COLUMNS, rows, [Note("paired", {"times": report.resampler.times}) if rows else Note("no_pairs")]
    )


def _rows(first: RunFigures, second: RunFigures, report: Report) -> Iterator[list[Cell]]:
    before, after = common(first.tasks, second.tasks)
    for figure in FIGURES:
        found = paired(_values(before, figure), _values(after, figure), report.resampler)
        if found.tasks:
            yield [figure, second.label, first.label, found.tasks, *_cells(found)]


def _cells(found: Paired) -> list[Cell]:
    difference: Estimate = found.difference
    return [difference, found.effect, None if found.wins is None else 100 * found.wins, found.p]


def common(first: TaskFigures, second: TaskFigures) -> tuple[TaskFigures, TaskFigures]:
    """The tasks that both have, in the order of the first."""
    shared = [task for task in first.ids if task in second.place]
    return first.of([first.place[task] for task in shared]), second.of(
        [second.place[task] for task in shared]
    )


def _values(tasks: TaskFigures, figure: str) -> Floats:
    if figure != "other":
        return tasks.column(figure)
    found: Floats = tasks.values[:, [TASK_COLUMNS.index(name) for name in OTHER]].mean(axis=1)
    return found


PART = Part("differences", "", build)
