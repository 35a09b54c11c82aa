"""What conversations over the tasks of each subset are like: tool steps of single turns, turns of talks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Part, PartWords, Report, RunFigures, SessionFigures, Table
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.travelbench.modes import SUBTASKS, Subtask
from benchmark.suites.travelbench.report.figures import STEPS, sessions_of

Count = Callable[[SessionFigures], float]
COLUMNS = (
    *(Column("subset", "name"), Column("tasks", "count"), Column("counted_by", "name")),
    *(Column("mean"), Column("least"), Column("most")),
)


def steps_of(session: SessionFigures) -> float:
    """Steps of the model, of which the last one answers, as table 6 counts them; where a record does not say, tool
    calls and one.
    """
    steps = session.values.get(STEPS)
    return session.calls + 1 if steps is None else steps


def tool_steps_of(session: SessionFigures) -> float:
    """Steps that call tools, as appendix B.2.6 defines them: all but the one that answers. A turn that spent all its
    steps on calls has one more than this says.
    """
    return max(0.0, steps_of(session) - 1)


def turns_of(session: SessionFigures) -> float:
    """Turns of the talk, of which the query begins the first."""
    return session.rounds


COUNTS: dict[Subtask, tuple[str, Count]] = {"single": ("steps", steps_of), "multi": ("turns", turns_of)}


def build(report: Report) -> Table:
    """A row a subset: tasks, and the mean, least and most of the tasks' means over runs and trials."""
    rows = [row for subset in SUBTASKS if (row := _row(report.runs, subset))]
    return Table(COLUMNS, rows, [] if rows else [NO_SESSIONS])


def _row(runs: Sequence[RunFigures], subset: Subtask) -> list[Cell]:
    name, count = COUNTS.get(subset, ("", turns_of))
    means = task_means(runs, subset, count)
    if not means:
        return []
    figures: list[Cell] = [fmean(means), min(means), max(means)] if name else [None] * 3
    return [subset, len(means), name, *figures]


def task_means(runs: Sequence[RunFigures], subset: Subtask, count: Count) -> list[float]:
    """The mean of a count over the sessions of each task, in any order."""
    means: dict[str, list[float]] = {}
    for run in runs:
        for session in sessions_of(run.sessions, subset):
            means.setdefault(session.task_id, []).append(count(session))
    return [fmean(values) for values in means.values()]


PART = Part(
    "composition",
    build,
    words=PartWords(
        _("Steps and turns"),
        _("Over tasks: each value is the mean of a task over runs and trials."),
        columns={"counted_by": _("counted"), "mean": _("mean"), "least": _("least"), "most": _("most")},
        values={"counted_by": {"steps": _("steps, with the answer"), "turns": _("turns taken")}},
    ),
)
