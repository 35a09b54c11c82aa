"""Scores over the tasks that took the most tool calls."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Note, Part, PartWords, Report, RunFigures, SessionFigures, Table
from benchmark.reports.table import NO_SESSIONS
from benchmark.reports.verdicts import who_judged
from benchmark.suites.travelbench.modes import Subtask
from benchmark.suites.travelbench.report.figures import SOLVABLE, sessions_of, subsets

TOPS = (50, 100)
ALL = "all"
COLUMNS = (
    *(Column("run", "name"), Column("hardest", "name")),
    *(
        column
        for subset in SOLVABLE
        for column in (Column(f"{subset}_final"), Column(f"{subset}_tasks", "count"))
    ),
)


def build(report: Report) -> Table:
    """A row a run and number of hardest tasks of each subset, all of them last.

    The hardest are those with the most tool calls on average over all runs and trials here; of as many, the first by
    id. A number that no subset has more tasks than says nothing and has no row.
    """
    if not any(run.sessions for run in report.runs):
        return Table(COLUMNS, [], [NO_SESSIONS])
    ranked = {subset: hardest_first(report.runs, subset) for subset in SOLVABLE}
    tops = [top for top in TOPS if any(len(tasks) > top for tasks in ranked.values())]
    rows = [
        _row(run, str(top or ALL), {subset: tasks[:top] for subset, tasks in ranked.items()})
        for run in report.runs
        for top in (*tops, None)
    ]
    return Table(COLUMNS, rows, [Note("hardest"), *who_judged(report)])


def hardest_first(runs: Sequence[RunFigures], subset: Subtask) -> list[str]:
    """The ids of a subset's tasks by their mean number of tool calls over runs and trials, the most first."""
    calls: dict[str, list[int]] = {}
    for run in runs:
        for session in sessions_of(run.sessions, subset):
            calls.setdefault(session.task_id, []).append(session.calls)
    return sorted(calls, key=lambda task: (-fmean(calls[task]), task))


def _row(run: RunFigures, top: str, tasks: Mapping[Subtask, Collection[str]]) -> list[Cell]:
    cells: list[Cell] = [run.label, top]
    for subset, wanted in tasks.items():
        own = _over_tasks(run.sessions, frozenset(wanted))
        figures = subsets(own, run.measures.averaging)
        score = figures.multi.final if subset == "multi" else figures.single.final
        cells += [score, len({session.task_id for session in own})]
    return cells


def _over_tasks(sessions: Sequence[SessionFigures], tasks: Collection[str]) -> list[SessionFigures]:
    return [session for session in sessions if session.task_id in tasks]


PART = Part(
    "hardest",
    build,
    words=PartWords(
        _("The hardest tasks"),
        _("Final scores over the tasks of each subset that took the most tool calls."),
        columns={
            "hardest": _("hardest tasks"),
            "multi_tasks": _("multi-turn: tasks"),
            "single_tasks": _("single-turn: tasks"),
        },
        values={"hardest": {ALL: _("all")}},
        notes={
            "hardest": _(
                "The hardest are those with the most tool calls on average over all runs and trials of this "
                "report."
            )
        },
    ),
)
