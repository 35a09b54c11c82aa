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
    plans = {
        run.label: [session for session in run.sessions if session.plan_generated] for run in report.runs
    }
    rows: list[list[Cell]] = [
        [kind, label, failing, 100 * failing / len(own)]
        for kind in FAILURES
        for label, own in plans.items()
        if own
        for failing in [sum(bool(session.issues.get(kind)) for session in own)]
    ]
    if not rows:
        return Table(COLUMNS, [], [NO_SESSIONS])
    if not any(failing for _kind, _label, failing, _share in rows):
        return Table(COLUMNS, [], [Note("no_failures", {"n": sum(map(len, plans.values()))})])
    return Table(COLUMNS, rows, [Note("find_failures")])


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
    notes={
        "find_failures": _("The table of sessions finds such plans by the filter for issue types."),
        "no_failures": _("None of the %(n)s plans fails so."),
    },
)
CHART = Chart("bars", x="failure", y="share", series="run", across=True, most=100)
PART = Part("plan_failures", build, CHART, words=WORDS)
