"""Why sessions ended."""

from __future__ import annotations

from collections import Counter

from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import Part, Report
from benchmark.reports.table import NO_SESSIONS, Cell, Chart, Column, Table
from benchmark.reports.words import PartWords

REASONS = (
    *("multiple_repeated_tool_calls", "consecutive_repeated_tool_calls"),
    *("context_overflow", "connection_error", "rate_limit", "runtime_error"),
)
"""In this order, after those of the benchmark; an unknown one comes last."""
COLUMNS = (
    Column("run", "name"),
    Column("reason", "name"),
    Column("sessions", "count"),
    Column("share", places=1),
)


def build(report: Report) -> Table:
    """A row a run and reason that any run has: sessions, and their percentage of the run."""
    counts = [(run, Counter(session.reason for session in run.sessions)) for run in report.runs]
    seen = {reason for _, counts_of_run in counts for reason in counts_of_run}
    known = [*report.measures.endings, *REASONS]
    named = [reason for reason in known if reason in seen] + sorted(seen - set(known))
    rows: list[list[Cell]] = [
        [run.label, reason, counts_of_run[reason], 100 * counts_of_run[reason] / len(run.sessions)]
        for run, counts_of_run in counts
        if run.sessions
        for reason in named
    ]
    return Table(COLUMNS, rows, [] if rows else [NO_SESSIONS])


CHART = Chart("stacked", x="run", y="share", series="reason", across=True, most=100)
PART = Part(
    "completion",
    build,
    CHART,
    words=PartWords(
        _("How sessions ended"),
        _("Percentage of a run's sessions."),
        columns={"reason": _("ended")},
        axes={"share": _("% of sessions")},
        values={
            "reason": {
                "multiple_repeated_tool_calls": _("same call three times"),
                "consecutive_repeated_tool_calls": _("tool calls repeated in two consecutive turns"),
                "context_overflow": _("context full"),
                "connection_error": _("model unreachable"),
                "rate_limit": _("rate limit"),
                "runtime_error": _("error"),
            }
        },
    ),
)
