"""The runs of a report and how far they are."""

from __future__ import annotations

from collections.abc import Iterable

from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.verdicts import scored
from benchmark.reports.words import PartWords

COLUMNS = (
    *(Column("run", "name"), Column("name", "name"), Column("id", "name")),
    *(Column("ended", "count"), Column("planned", "count")),
    *(Column("counted", "count"), Column("judged_sessions", "count")),
    *(Column("own_tasks", "count"), Column("shared_tasks", "count")),
)
NAMES = ("name", "id")
"""Told where they say more than the label."""
COMMON_TASKS = "shared_tasks"
"""Told where the runs have not the same tasks."""


def build(report: Report) -> Table:
    """A row a run: how many of its sessions ended, how many count here, how many were judged; its tasks, and where
    the runs have not the same ones how many all of them have.

    Its full name and its id are told where those of any run differ from its label, options where the runs differ.
    """
    going = [Note("going", {"run": run.label}) for run in report.runs if run.going]
    names_shown = [name for name in NAMES if any(getattr(run, name) != run.label for run in report.runs)]
    differing = _differing_options(report)
    shared: list[Cell] = [len(report.common)] if report.uneven else []
    shown = [*names_shown, *([COMMON_TASKS] if shared else [])]
    columns = [
        column for column in COLUMNS if column.key in shown or column.key not in (*NAMES, COMMON_TASKS)
    ]
    place = 1 + len(names_shown)
    columns[place:place] = [Column(key, "name") for key in differing]
    return Table(columns, [[*_row(run, names_shown, differing), *shared] for run in report.runs], going)


def _differing_options(report: Report) -> list[str]:
    keys = dict.fromkeys(key for run in report.runs for key in run.options)
    return [key for key in keys if len({run.options.get(key, "") for run in report.runs}) > 1]


def _row(run: RunFigures, names_shown: Iterable[str], options: Iterable[str]) -> list[Cell]:
    judged = sum(any(map(scored, session.verdicts)) for session in run.sessions)
    names = [*(getattr(run, name) for name in names_shown), *(run.options.get(key, "") for key in options)]
    return [run.label, *names, run.ended, run.planned, len(run.sessions), judged, len(run.tasks.ids)]


PART = Part(
    "runs",
    build,
    own_tasks=True,
    words=PartWords(
        _("Runs"),
        _(
            "How far each run is. The report counts sessions that finished or crashed and have "
            "scores. A session that was stopped says nothing about the agent."
        ),
        columns={
            "name": _("name"),
            "id": _("id"),
            "ended": _("sessions ended"),
            "planned": _("sessions in all"),
            "counted": _("sessions counted here"),
            "own_tasks": _("tasks"),
            "shared_tasks": _("tasks shared by all"),
        },
        notes={"going": _("%(run)s is still running: its figures will change.")},
    ),
)
