"""The runs of a report and how far they are. The paper has no counterpart."""

from __future__ import annotations

from benchmark.reports.report import Part, Report
from benchmark.reports.session import RunFigures
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.tasks import judged_score

COLUMNS = (
    *(Column("run", "name"), Column("name", "name"), Column("id", "name")),
    *(Column("ended", "count"), Column("planned", "count")),
    *(Column("sessions", "count"), Column("judged_sessions", "count")),
)


def build(report: Report) -> Table:
    """A row a run: its full name, how many of its sessions ended, how many count here, how many were judged."""
    going = [Note("going", {"run": run.label}) for run in report.runs if run.going]
    return Table(COLUMNS, [_row(run) for run in report.runs], going)


def _row(run: RunFigures) -> list[Cell]:
    judged = sum(judged_score(session) is not None for session in run.sessions)
    return [run.label, run.name, run.id, run.ended, run.planned, len(run.sessions), judged]


PART = Part("runs", "", build)
