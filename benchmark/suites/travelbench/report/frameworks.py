"""The same model in different agents."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Note, Part, PartWords, Report, RunFigures, Table
from benchmark.reports.verdicts import who_judged
from benchmark.suites.travelbench.report.figures import subsets_of

COLUMNS = (
    *(Column("model", "name"), Column("agent", "name"), Column("run", "name")),
    Column("overall"),
)


def build(report: Report) -> Table:
    """A row a run over a model that another agent of these runs has too, model by model."""
    by_model: dict[str, list[RunFigures]] = {}
    for run in report.runs:
        by_model.setdefault(run.cast.get("agent_model", ""), []).append(run)
    rows: list[list[Cell]] = [
        [model, run.cast["agent"], run.label, subsets_of(run).overall]
        for model, runs in by_model.items()
        if model and len({run.cast.get("agent") for run in runs}) > 1
        for run in runs
    ]
    return Table(COLUMNS, rows, who_judged(report) if rows else [Note("one_agent_a_model")])


PART = Part(
    "frameworks",
    build,
    words=PartWords(
        _("One model in several agents"),
        _("Overall scores of runs whose agents have the same model."),
        columns={"model": _("model"), "agent": _("agent")},
        notes={"one_agent_a_model": _("No two of these runs have the same model in different agents.")},
    ),
)
