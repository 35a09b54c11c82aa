"""Which constraints of the gates plans break: of all (error distribution), and the most frequent (Figure 2)."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, Table
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.tripscore.metrics import CONSTRAINTS, GATES
from benchmark.suites.tripscore.report.rewards import Sessions, of_type, types_of
from benchmark.suites.tripscore.tasks.task import REAL

TOP = 5
GATE_CONSTRAINTS = tuple(key for gate in GATES for key in CONSTRAINTS[gate])
_COUNTS = (Column("broken", "count"), Column("checked", "count"), Column("plans", "count"))


def _counts(sessions: Sessions, key: str) -> list[Cell]:
    """How many plans break a constraint, how many it was checked of, how many sessions; per cent of all."""
    values = [session.values.get(key) for session in sessions]
    broken, checked = sum(value == 0 for value in values), sum(value is not None for value in values)
    return [broken, checked, len(values), 100 * broken / len(values)]


def _all_errors(report: Report) -> Table:
    """A row a type of query, constraint and run."""
    rows: list[list[Cell]] = [
        [kind, key, run.label, *_counts(sessions, key)]
        for kind in types_of(report)
        for key in GATE_CONSTRAINTS
        for run in report.runs
        if (sessions := of_type(run.sessions, kind))
    ]
    columns = [Column("type", "name"), Column("figure", "name"), Column("run", "name"), *_COUNTS]
    notes = [Note("behind_gates")] if rows else [NO_SESSIONS]
    return Table([*columns, Column("share", places=1)], rows, notes)


def _top_errors(report: Report) -> Table:
    """A row a run and constraint: the five that most of its plans for a person's words break."""
    rows: list[list[Cell]] = []
    real = [(run.label, sessions) for run in report.runs if (sessions := of_type(run.sessions, REAL))]
    for label, sessions in real:
        counted = [(key, _counts(sessions, key)) for key in GATE_CONSTRAINTS]
        rows += [[label, key, *counts] for key, counts in _most(counted)]
    columns = [Column("run", "name"), Column("figure", "name"), *_COUNTS, Column("share", places=1)]
    if not real:
        return Table(columns, [], [Note("no_real")])
    sizes = [Note("real_plans", {"run": label, "n": len(sessions)}) for label, sessions in real]
    return Table(columns, rows, [*([] if rows else [Note("none_broken")]), *sizes])


def _most(counted: Sequence[tuple[str, list[Cell]]]) -> list[tuple[str, list[Cell]]]:
    broken = [(key, counts) for key, counts in counted if counts[0]]
    return sorted(broken, key=lambda each: -int(str(each[1][0])))[:TOP]


_COLUMN_WORDS = {"broken": _("broken by"), "checked": _("checked of"), "plans": _("sessions")}
ERRORS = Part(
    "errors",
    _all_errors,
    words=PartWords(
        _("Broken constraints"),
        _("How many plans break each constraint of the gates; per cent of all sessions of the run."),
        columns=_COLUMN_WORDS,
        notes={
            "behind_gates": _(
                "Common sense is checked of delivered plans alone, and what a plan names of those of the right form."
            )
        },
    ),
)
TOP_ERRORS = Part(
    "top_errors",
    _top_errors,
    Chart("bars", x="figure", y="share", facet="run", across=True),
    words=PartWords(
        _("The constraints that are broken most"),
        _("The five constraints of the gates that most plans for real requests break, by run."),
        columns=_COLUMN_WORDS,
        axes={"share": _("% of sessions")},
        notes={
            "no_real": _("These runs have no queries in a person's words."),
            "none_broken": _("No plan breaks a constraint of the gates."),
            "real_plans": _("%(run)s: %(n)s sessions over real requests."),
        },
    ),
)
