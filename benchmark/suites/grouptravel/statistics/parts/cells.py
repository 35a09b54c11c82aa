"""What the tables of a set of tasks are made of."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.remarks import gettext_noop as _
from benchmark.reports.table import Cell, Chart, Column, Note, Table
from benchmark.suites.grouptravel.statistics.targets import Comparison

OURS, PAPER = "ours", "paper"
ANSWERS = {"yes": _("yes"), "no": _("no")}
COMPARISON_COLUMNS = (
    *(Column("paper"), Column("expected", places=1), Column("ratio")),
    *(Column("tolerance", "name"), Column("within", "name")),
)
"""The columns of a comparison after those of ours."""


def table_of(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], notes: Sequence[Note] = ()) -> Table:
    """A table, which says that there are no tasks where it has no rows."""
    return Table(columns, rows, notes if rows else [*notes, Note("no_tasks")])


def percent(part: float | None, whole: float) -> float | None:
    """A share, 0 to 100; None of nothing."""
    return 100 * part / whole if part is not None and whole else None


def _plain(value: float | None) -> Cell:
    """Whole numbers as such."""
    return int(value) if value is not None and value == int(value) else value


def comparison_cells(comparison: Comparison, scale: float = 1) -> list[Cell]:
    """Ours, then the cells of `COMPARISON_COLUMNS`. scale: 100 for shares."""
    within = "" if comparison.is_within is None else "yes" if comparison.is_within else "no"
    tolerance = (
        ""
        if comparison.tolerance is None
        else f"±{100 * comparison.tolerance:.0f} %"
        if comparison.tolerance
        else "exact"
    )
    numbers = (comparison.ours, comparison.theirs, comparison.expectation)
    ours, theirs, expected = (
        None if figure is None else _plain(round(figure * scale, 6)) for figure in numbers
    )
    return [ours, theirs, expected, comparison.ratio, tolerance, within]


def sides(
    key: str, names: Sequence[Cell], ours: Sequence[Cell], theirs: Sequence[Cell], series: str = "set"
) -> Table:
    """Ours and the paper's as two series. series: what tells them apart, as `bars` has it."""
    rows: list[list[Cell]] = [
        [name, side, values[at]]
        for side, values in ((OURS, ours), (PAPER, theirs))
        for at, name in enumerate(names)
    ]
    return Table((Column(key, "name"), Column(series, "name"), Column("value")), rows)


def bars(x: str, *, across: bool = False, series: str = "set") -> Chart:
    """Bars of ours and the paper's, as `sides` makes them."""
    colours = {OURS: "accent", PAPER: "muted"}
    return Chart("bars", x=x, y="value", series=series, across=across, colours=colours)


def plain_bars(x: str, y: str, *, across: bool = False) -> Chart:
    """Bars of ours alone."""
    return Chart("bars", x=x, y=y, across=across, colours={"": "accent"})
