"""What was run: the agent, its model, and everything else that the figures depend on."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports.conditions import conditions_in, unlike
from benchmark.reports.report import Part, Report
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.words import PartWords


def build(report: Report) -> Table:
    """A row a condition that any run tells, a column a run; of several runs also whether they are alike."""
    several = len(report.runs) > 1
    columns = [
        Column("condition", "name"),
        *(Column(run.label, "name", label=run.label) for run in report.runs),
    ]
    rows: list[list[Cell]] = []
    for key in conditions_in([run.conditions for run in report.runs]):
        told = [run.conditions.get(key, "") for run in report.runs]
        if any(told):
            rows.append([key, *told, *(["yes" if len(set(told)) == 1 else "no"] if several else [])])
    alike = [Column("alike", "name")] if several else []
    differing = unlike([run.conditions for run in report.runs])
    notes = [Note("unlike_conditions", conditions=differing)] if differing else []
    if not rows:
        notes = [Note("no_conditions")]
    return Table([*columns, *alike], rows, notes)


PART = Part(
    "conditions",
    build,
    own_tasks=True,
    words=PartWords(
        _("What was run"),
        _(
            "As the runs were set up, and as their logs show it. A model without a named temperature "
            "uses that of its role. Costs and tokens are those of all models in all sessions. “?” "
            "counts requests of which that is not known."
        ),
        columns={"condition": _("condition"), "alike": _("same in all runs")},
        values={"alike": {"yes": _("yes"), "no": _("no")}},
        notes={
            "no_conditions": _("These runs do not say how they were set up."),
            "unlike_conditions": _(
                "These runs differ in %(what)s, so a difference between figures may not be due to the agent."
            ),
        },
    ),
)
