"""How often plans fail in what no metric names (appendix B.2)."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, Table
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.traveleval.scoring.failures import FAILURES

COLUMNS = (
    *(Column("failure", "name"), Column("run", "name"), Column("plans", "count")),
    Column("share", places=1),
)


def build(report: Report) -> Table:
    """A row a kind of failure and run: plans that fail so, and their percentage of the run's plans."""
    rows: list[list[Cell]] = []
    for kind in FAILURES:
        for run in report.runs:
            plans = [session for session in run.sessions if session.plan_generated]
            failing = sum(bool(session.issues.get(kind)) for session in plans)
            if plans:
                rows.append([kind, run.label, failing, 100 * failing / len(plans)])
    return Table(COLUMNS, rows, [Note("find_failures") if rows else NO_SESSIONS])


FAILURE_WORDS = {
    "claimed_costs": _("told costs that do not add up"),
    "false_within_budget": _("said to be within the budget, and is not"),
    "omitted_days": _("omitted days"),
    "nightly_ends": _("a day that ends in the small hours"),
}
WORDS = PartWords(
    _("How plans fail"),
    _("Percentage of plans with failures that no metric names (appendix B.2 of the paper)."),
    columns={"failure": _("failure"), "plans": _("plans")},
    axes={"share": _("% of plans")},
    values={"failure": FAILURE_WORDS},
    notes={"find_failures": _("The table of sessions finds such plans by the filter for issue types.")},
)
CHART = Chart("bars", x="failure", y="share", series="run", across=True, most=100)
PART = Part("plan_failures", build, CHART, words=WORDS)
