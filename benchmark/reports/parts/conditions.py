"""What was run: who played in which world by which rules, when, with which code, and what it cost."""

from __future__ import annotations

from benchmark.reports.report import Part, Report
from benchmark.reports.table import Column, Note, Table


def build(report: Report) -> Table:
    """A row a condition, a column a run; conditions that no run knows are left out."""
    known = dict.fromkeys(key for run in report.runs for key in run.conditions)
    columns = [Column("condition", "name"), *(Column(run.label, "name") for run in report.runs)]
    rows = [[key, *(run.conditions.get(key, "–") for run in report.runs)] for key in known]
    return Table(columns, rows, [] if rows else [Note("no_conditions")])


PART = Part("conditions", build, own_tasks=True)
