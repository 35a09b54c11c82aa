"""Runs against the first of them over the tasks that both have."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.reports.judged import who_judged
from benchmark.reports.report import Part, Report
from benchmark.reports.statistics import Paired, paired
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import Floats, TaskFigures

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
    first, *others = report.runs
    scores = report.measures.scores
    found = paired([differences(first.tasks, run.tasks, scores) for run in others], report.resampler)
    rows: list[list[Cell]] = [
        [figure, run.label, first.label, one.tasks, *_cells(one)]
        for run, tested in zip(others, found, strict=True)
        for figure, one in zip(scores, tested, strict=True)
        if one.tasks
    ]
    if not rows:
        return Table(COLUMNS, rows, [Note("no_pairs")])
    return Table(COLUMNS, rows, [Note("paired", {"times": report.resampler.times}), *who_judged(report)])


def differences(first: TaskFigures, second: TaskFigures, scores: Sequence[str]) -> Floats:
    """What the second has more, a row a task that both have, a column each of `scores`."""
    shared = [task for task in first.ids if task in second.place]
    before, after = (tasks.values[[tasks.place[task] for task in shared]] for tasks in (first, second))
    found: Floats = (after - before)[:, [first.columns.index(name) for name in scores]]
    return found


def _cells(found: Paired) -> list[Cell]:
    return [found.difference, found.effect, None if found.wins is None else 100 * found.wins, found.p]


PART = Part("differences", build, own_tasks=True)
