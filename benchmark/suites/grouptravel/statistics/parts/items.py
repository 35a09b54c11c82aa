"""Items and budgets of users (Table 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from benchmark.remarks import gettext_noop as _
from benchmark.reports.dataset import DatasetPart
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.grouptravel.statistics import targets
from benchmark.suites.grouptravel.statistics.dataset import Dataset, share, spread
from benchmark.suites.grouptravel.statistics.parts.cells import (
    COMPARISON_COLUMNS,
    bars,
    comparison_cells,
    percent,
    plain_bars,
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


PARTS = (
    DatasetPart(
        "fields",
        fields,
        bars("field", across=True),
        fields_drawn,
        "Table 9",
        PartWords(
            _("Items by field"),
            _("Mean number of items per user in the chart. An entry of a list is an item."),
            columns={"field": _("field"), "a_user": _("per user"), "paper_a_user": _("per user, the paper")},
            axes={"": _("items per user")},
        ),
    ),
    DatasetPart(
        "items_a_user",
        items_a_user,
        plain_bars("items", "users"),
        words=PartWords(
            _("Items per user"),
            _("Entries of all lists, the budget, and each limit per day."),
            columns={"items": _("items")},
            axes={"items": _("items per user")},
        ),
    ),
    DatasetPart(
        "budgets",
        budgets,
        plain_bars("budget", "users"),
        words=PartWords(
            _("Budgets"),
            _("Users by their budget in CNY."),
            columns={"budget": _("CNY")},
            notes={
                "budgets": _(
                    "From %(min)s to %(max)s CNY, mean %(mean)s, median %(median)s; the paper: from "
                    "%(paper_min)s to %(paper_max)s, mean %(paper_mean)s, median %(paper_median)s."
                )
            },
        ),
    ),
)
