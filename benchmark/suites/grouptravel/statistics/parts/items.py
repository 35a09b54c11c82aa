"""Items and budgets of users (Table 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.suites.grouptravel.statistics import targets
from benchmark.suites.grouptravel.statistics.dataset import Dataset, share, spread
from benchmark.suites.grouptravel.statistics.parts.cells import (
    COMPARISON_COLUMNS,
    comparison_cells,
    percent,
    sides,
    table_of,
)
from benchmark.suites.grouptravel.statistics.targets import PAPER_USERS, TARGETS

ITEMS_A_BIN, CNY_A_BIN = 5, 500


def fields(data: Dataset) -> Table:
    """A row a list field: its items, and items a user."""
    rows: list[list[Cell]] = []
    for comparison in targets.items(data):
        if comparison.figure.startswith("fields."):
            name = comparison.figure.partition(".")[2]
            a_user = share(data.fields[name], data.tables), comparison.theirs / PAPER_USERS
            rows.append([name, *a_user, *comparison_cells(comparison)])
    columns = (
        Column("field", "name"),
        Column("a_user"),
        Column("paper_a_user"),
        Column("ours"),
        *COMPARISON_COLUMNS,
    )
    return table_of(columns, rows if data.tables else [])


def fields_drawn(data: Dataset) -> Table:
    """What its chart is drawn from."""
    shown = fields(data)
    return sides("field", shown.cells("field"), shown.cells("a_user"), shown.cells("paper_a_user"))


def items_a_user(data: Dataset) -> Table:
    """Users by their number of items."""
    return _histogram(
        data.items_by_user, ITEMS_A_BIN, "items", "users", lambda low: f"{low}–{low + ITEMS_A_BIN - 1}"
    )


def budgets(data: Dataset) -> Table:
    """Users by their budget, CNY."""
    histogram = _histogram(
        data.budgets, CNY_A_BIN, "budget", "users", lambda low: f"{low:,}–{low + CNY_A_BIN - 1:,}"
    )
    if not histogram.rows:
        return histogram
    ours, paper = spread(data.budgets), TARGETS["budget"]["value"]
    told = {**ours, **{f"paper_{name}": paper[name] for name in ours}}
    given: dict[str, Cell] = {name: f"{value:,.0f}" for name, value in told.items()}
    return Table(histogram.columns, histogram.rows, [Note("budgets", given)])


def _histogram(
    values: Sequence[float], width: int, key: str, counted: str, name: Callable[[int], str]
) -> Table:
    """Values by bins of one width, from the first that has any to the last."""
    counts = Counter(int(value // width) for value in values)
    bins = range(min(counts), max(counts) + 1) if counts else range(0)
    rows: list[list[Cell]] = [[name(at * width), counts[at], percent(counts[at], len(values))] for at in bins]
    return table_of((Column(key, "name"), Column(counted, "count"), Column("share", places=1)), rows)
