"""Who judged: judges and meta-judges, their models, input and prompts."""

from __future__ import annotations

from benchmark.judging import Pair
from benchmark.reports.report import Part, Report
from benchmark.reports.table import Cell, Column, Table
from benchmark.reports.verdicts import NO_JUDGE

COLUMNS = (
    *(Column("judge_name", "name"), Column("judge_model", "name")),
    *(Column("meta_name", "name"), Column("meta_model", "name")),
    *(Column("judge_input", "name"), Column("prompts", "name")),
    *(Column("judged_sessions", "count"), Column("in_figures", "name")),
)


def build(report: Report) -> Table:
    """A row a pair, first the one whose verdicts the figures hold."""
    if not report.pairs:
        return Table(COLUMNS, [], [NO_JUDGE])
    return Table(COLUMNS, [_row(pair, "yes" if pair == report.pair else "no") for pair in report.pairs])


def _row(pair: Pair, counts: str) -> list[Cell]:
    judge, meta_judge = (pair.judge, pair.judge_model), (pair.meta_judge, pair.meta_model)
    shown = (pair.form, ", ".join(pair.prompts))
    return [*judge, *meta_judge, *shown, pair.sessions, counts]


PART = Part("judges", build, own_tasks=True)
