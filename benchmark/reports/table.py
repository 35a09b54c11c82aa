"""A table of a report: what stands in it, and how a chart is drawn from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from benchmark.reports.statistics import Estimate


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean and the standard deviation around it."""

    mean: float | None
    std: float | None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its own number of decimals. n, of: of how many of how many sessions it is, if it is a mean."""

    value: float | None
    places: int
    n: int | None = None
    of: int | None = None


Cell = str | int | float | Estimate | Spread | Figure | None
Kind = Literal["name", "count", "number"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its key. kind: names are text, the others numbers; places: decimals as shown.

    signed: differences, shown with their sign. label: its head where that is a name, which has no translation.
    is_session: whether names are ids of sessions, to which pages lead.
    """

    key: str
    kind: Kind = "number"
    places: int = 2
    signed: bool = False
    label: str = ""
    is_session: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Something to say below a table: a sentence by its key, with what it is filled with.

    conditions: keys of conditions, whose words fill the sentence as `what`.
    """

    key: str
    values: Mapping[str, Cell] = field(default_factory=dict)
    conditions: Sequence[str] = ()


NO_SESSIONS = Note("no_sessions")
"""Why parts that every session has a place in have no rows."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells by column; no rows where there is nothing to tell, and then a note says why.

    shared_tasks: how many tasks it is over where runs were cut to those that they share, else None.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[Note] = ()
    shared_tasks: int | None = None

    def cells(self, key: str) -> list[Cell]:
        """A column from top to bottom."""
        at = [column.key for column in self.columns].index(key)
        return [row[at] for row in self.rows]

    def where(self, key: str, value: Cell) -> Table:
        """The rows that have this value in a column."""
        at = [column.key for column in self.columns].index(key)
        return replace(self, rows=[row for row in self.rows if row[at] == value])


@dataclass(frozen=True, slots=True)
class Chart:
    """How a table is drawn: each field names a column, "" where there is none.

    bars: a bar a row, next to each other by series; stacked: on top of each other; lines; points: labelled by
    `text`; radar: an axis around the middle for each x; matrix: the figures from −1 to 1 in `value` by x and y.
    mirrored: the table has each pair of a matrix once, and the pair the other way round has the opposite figure.
    facet: a chart a value. Intervals of estimates become error bars. log: the value axis is logarithmic; across: bars
    lie; most: where the value axis ends, None for where the values do. colours: of names that the series tells apart,
    by name, "" where it tells none apart; such as `run1`, which a theme fills.
    """

    kind: Literal["bars", "stacked", "lines", "points", "radar", "matrix"]
    x: str
    y: str
    series: str = ""
    facet: str = ""
    text: str = ""
    value: str = ""
    log: bool = False
    across: bool = False
    most: float | None = None
    mirrored: bool = False
    colours: Mapping[str, str] = field(default_factory=dict)
