"""A report as pages and files show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchmark.reports import PARTS, Part, Report, Table
from webapp.reports.charts import Drawing, drawings
from webapp.reports.legend import EXPLAINED_IN, meanings
from webapp.reports.wording import about, cell_words, label_of, note_words, title_of

LIMITS = ("shared", "left_out", "nothing_shared")
"""Notes that say which tasks a part is over."""


class Head(NamedTuple):
    """The head of a column. meaning: what a figure is, "" for any other; number: whether numbers stand below."""

    label: str
    meaning: str
    number: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """One part: its table and, if it has any, charts."""

    part: Part
    table: Table
    charts: Sequence[Drawing]

    @property
    def title(self) -> str:
        """Its heading."""
        return title_of(self.part.name)

    @property
    def about(self) -> str:
        """What it shows."""
        return about(self.part.name)

    @property
    def heads(self) -> list[Head]:
        """The heads of its columns."""
        told = meanings()
        return [
            Head(label_of(column.key), told.get(column.key, ""), column.kind != "name")
            for column in self.table.columns
        ]

    @property
    def legend(self) -> list[Head]:
        """The figures that are explained below it."""
        return [head for head in self.heads if head.meaning] if self.part.name == EXPLAINED_IN else []

    @property
    def lines(self) -> Iterator[list[tuple[str, str, bool]]]:
        """Rows of cells: words, what stands small beside them, whether it is a number."""
        for row in self.table.rows:
            cells = zip(self.table.columns, row, strict=True)
            yield [(*cell_words(column, cell), column.kind != "name") for column, cell in cells]

    @property
    def limits(self) -> list[str]:
        """What it is over, and what it leaves out, said above it."""
        return [note_words(note) for note in self.table.notes if note.key in LIMITS]

    @property
    def notes(self) -> list[str]:
        """What is said below it."""
        return [note_words(note) for note in self.table.notes if note.key not in LIMITS]


def shown(report: Report) -> list[Shown]:
    """Every part of a report."""
    labels = [run.label for run in report.runs]
    tables = ((part, part.table(report)) for part in PARTS.values())
    return [Shown(part, table, drawings(part, table, labels)) for part, table in tables]
