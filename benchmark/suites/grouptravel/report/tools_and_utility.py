"""Tool calls against group utility."""

from __future__ import annotations

import numpy as np

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.report import Part, Report
from benchmark.reports.statistics import correlation
from benchmark.reports.table import NO_SESSIONS, Cell, Chart, Column, Note, Table
from benchmark.reports.tasks import Floats
from benchmark.reports.words import PartWords

FEWEST_POINTS = 5
"""Points from which a correlation says something; with fewer runs, tasks are the points."""
COLUMNS = (Column("run", "name"), Column("point", "name"), Column("calls", places=1), Column("gu"))


def build(report: Report) -> Table:
    """A point a run, or with fewer than five runs a point a task; Pearson's r of calls and GU in the notes.

    Of fewer than five points there is no correlation.
    """
    if not any(run.sessions for run in report.runs):
        return Table(COLUMNS, [], [NO_SESSIONS])
    return _by_run(report) if len(report.runs) >= FEWEST_POINTS else _by_task(report)


def _by_run(report: Report) -> Table:
    runs = [run for run in report.runs if run.tasks.ids]
    calls = np.array([run.tasks.column("calls").mean() for run in runs])
    utility = np.array([run.tasks.column("gu").mean() for run in runs])
    rows: list[list[Cell]] = [
        [run.label, run.label, float(x), float(y)] for run, x, y in zip(runs, calls, utility, strict=True)
    ]
    return Table(COLUMNS, rows, [_note("over_runs", "", calls, utility)])


def _by_task(report: Report) -> Table:
    rows: list[list[Cell]] = []
    notes = []
    for run in report.runs:
        calls, utility = run.tasks.column("calls"), run.tasks.column("gu")
        points = zip(run.tasks.ids, calls, utility, strict=True)
        rows += [[run.label, task, float(x), float(y)] for task, x, y in points]
        notes.append(_note("over_tasks", run.label, calls, utility))
    return Table(COLUMNS, rows, notes)


def _note(key: str, run: str, calls: Floats, utility: Floats) -> Note:
    if len(calls) < FEWEST_POINTS:
        return Note("too_few_points", {"run": run, "n": len(calls)})
    return Note(key, {"run": run, "r": correlation(calls, utility), "n": len(calls)})


CHART = Chart("points", x="calls", y="gu", series="run", text="point")
PART = Part(
    "tools_and_utility",
    build,
    CHART,
    words=PartWords(
        _("Tool calls against group utility"),
        _("One point per run; with fewer than five runs, one point per task."),
        columns={"point": _("point")},
        axes={"calls": _("tool calls per task"), "gu": _("GU, points")},
        notes={
            "over_runs": ngettext_noop(
                "Pearson's r over %(n)s run: %(r)s.", "Pearson's r over %(n)s runs: %(r)s."
            ),
            "over_tasks": ngettext_noop(
                "%(run)s: Pearson's r over %(n)s task: %(r)s.",
                "%(run)s: Pearson's r over %(n)s tasks: %(r)s.",
            ),
            "too_few_points": ngettext_noop(
                "%(run)s %(n)s point: too few for a correlation, which needs five.",
                "%(run)s %(n)s points: too few for a correlation, which needs five.",
            ),
        },
    ),
)
