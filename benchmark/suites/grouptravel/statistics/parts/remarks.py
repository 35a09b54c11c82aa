"""What is odd about tasks."""

from __future__ import annotations

from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.suites.grouptravel.statistics.dataset import Dataset

MOST_LISTED = 100


def remarks(data: Dataset) -> Table:
    """A row a remark, as far as they are listed."""
    rows: list[list[Cell]] = [
        [remark.kind, remark.task_id, remark.field, remark.item, remark.expected]
        for remark in data.remarks[:MOST_LISTED]
    ]
    columns = tuple(Column(key, "name") for key in ("remark", "task", "place", "item", "instead"))
    left = len(data.remarks) - len(rows)
    notes = [Note("more_remarks", {"n": left})] if left else []
    return Table(columns, rows, notes or ([] if rows else [Note("no_remarks")]))
