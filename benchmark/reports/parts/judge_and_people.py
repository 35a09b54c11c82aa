"""How far the judge is from human annotators: the counterpart of Table 12."""

from __future__ import annotations

from statistics import fmean

from benchmark.judging import DIMENSIONS
from benchmark.reports.agreement import agreement
from benchmark.reports.report import Part, Report
from benchmark.reports.table import Cell, Column, Note, Table

COLUMNS = (
    *(Column("dimension", "name"), Column("sessions", "count"), Column("judge_human"), Column("human_human")),
)


def build(report: Report) -> Table:
    """A row a dimension, then their average: mean absolute errors on the scale of 1 to 5."""
    found = [(name, rated) for name in DIMENSIONS if (rated := agreement(report.labels, name))]
    if not found:
        return Table(COLUMNS, [], [Note("no_labels")])
    rows: list[list[Cell]] = [[name, rated.sessions, rated.judge, rated.humans] for name, rated in found]
    humans = [rated.humans for _, rated in found if rated.humans is not None]
    average = [fmean(rated.judge for _, rated in found), fmean(humans) if humans else None]
    return Table(COLUMNS, [*rows, ["all", len(report.labels), *average]])


PART = Part("judge_and_people", "Table 12", build)
