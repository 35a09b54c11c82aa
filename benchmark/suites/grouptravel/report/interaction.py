"""Interaction statistics of each run."""

from __future__ import annotations

from statistics import fmean

from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import Part, Report
from benchmark.reports.run import RunFigures
from benchmark.reports.table import Cell, Column, Table
from benchmark.reports.words import PartWords

COLUMNS = (
    *(Column("run", "name"), Column("sessions", "count"), Column("compromises")),
    *(Column("calls", places=1), Column("rounds", places=1), Column("plans", places=1)),
)


def build(report: Report) -> Table:
    """Means a session; plans: the percentage of sessions that ended with a plan."""
    return Table(COLUMNS, [_row(run) for run in report.runs])


def _row(run: RunFigures) -> list[Cell]:
    sessions = run.sessions
    if not sessions:
        return [run.label, 0, None, None, None, None]
    counted = ("counted", "calls", "rounds")
    means = [fmean([getattr(session, name) for session in sessions]) for name in counted]
    plans = fmean([session.plan_generated for session in sessions])
    return [run.label, len(sessions), *means, 100 * plans]


PART = Part(
    "interaction",
    build,
    words=PartWords(
        _("Interaction"),
        _("Means per session."),
        columns={"compromises": _("compromises"), "rounds": _("rounds"), "plans": _("plans %")},
    ),
)
