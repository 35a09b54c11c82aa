"""Who judged: judges and meta-judges, their models, input and prompts."""

from __future__ import annotations

from benchmark.judging import Pair
from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import Part, Report
from benchmark.reports.table import Cell, Column, Table
from benchmark.reports.verdicts import NO_JUDGE
from benchmark.reports.words import PartWords

COLUMNS = (
    *(Column("judge_name", "name"), Column("judge_model", "name")),
    *(Column("meta_name", "name"), Column("meta_model", "name")),
    *(Column("judge_input", "name"), Column("prompts", "name")),
    *(Column("judged_sessions", "count"), Column("in_figures", "name")),
)


def build(report: Report) -> Table:
    """A row a pair, first those whose verdicts the figures hold; with its rubric where the benchmark has several."""
    metrics = {rubric.name: rubric.metric for rubric in report.measures.rubrics}
    columns = [*([Column("rubric", "name")] if len(metrics) > 1 else []), *COLUMNS]
    if not report.pairs:
        return Table(columns, [], [NO_JUDGE])
    rows: list[list[Cell]] = [
        [*([metrics.get(pair.rubric, pair.rubric)] if len(metrics) > 1 else []), *_row(pair, report)]
        for pair in report.pairs
    ]
    return Table(columns, rows)


def _row(pair: Pair, report: Report) -> list[Cell]:
    counts = "yes" if pair in report.counting else "no"
    judge, meta_judge = (pair.judge, pair.judge_model), (pair.meta_judge, pair.meta_model)
    shown = (pair.form, ", ".join(pair.prompts))
    return [*judge, *meta_judge, *shown, pair.sessions, counts]


PART = Part(
    "judges",
    build,
    own_tasks=True,
    words=PartWords(
        _("Who judged"),
        _(
            "One pair of judge and meta-judge counts. Another model, another input or other prompts "
            "make another pair."
        ),
        columns={
            "judge_name": _("judge"),
            "judge_model": _("its model"),
            "meta_name": _("meta-judge"),
            "meta_model": _("its model"),
            "judge_input": _("shown to the judge"),
            "prompts": _("prompts"),
            "in_figures": _("used in the figures"),
        },
        values={"in_figures": {"yes": _("yes"), "no": _("no")}},
    ),
)
