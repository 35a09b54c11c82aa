"""A report as pages and files show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from benchmark.reports import Part, Report, Table
from benchmark.reports.dataset import DatasetPart, DatasetStatistics
from benchmark.reports.table import Cell, Column
from benchmark.suites import reporting_of
from webapp.reports.charts import Drawing, drawings
from webapp.reports.paper_results import ShownTable, tables_like
from webapp.reports.wording import DatasetWords, Words
from webapp.runs.conditions import condition_value_words

EXPLAINED_IN = "main_results"
"""The part that explains the figures; in others their meanings are titles of columns."""
LIMITS = ("shared", "left_out", "nothing_shared")
"""Notes that say which tasks a part is over."""
NO_SETS: Mapping[str, Any] = MappingProxyType({})


class ShownCell(NamedTuple):
    """note: what stands small beside the words. address: of the session that they name, "" for any others."""

    words: str
    note: str
    number: bool
    address: str


class Head(NamedTuple):
    """The head of a column. meaning: what a figure is, "" for any other; number: whether numbers stand below."""

    label: str
    meaning: str
    number: bool


@dataclass(frozen=True, slots=True)
class ShownPart:
    """One part: its table and, if it has any, charts, and the tables of the paper that it is the like of."""

    part: Part | DatasetPart
    table: Table
    charts: Sequence[Drawing]
    words: Words
    paper_tables: Sequence[ShownTable] = ()

    @property
    def title(self) -> str:
        """Its heading."""
        return _(self.part.words.title)

    @property
    def about(self) -> str:
        """What it shows."""
        return _(self.part.words.about)

    @property
    def counterpart(self) -> str:
        """What the paper calls its like, "" for what it does not have."""
        return self.words.counterpart(self.part.counterpart)

    @property
    def heads(self) -> list[Head]:
        """The heads of its columns."""
        meanings = self.words.meanings
        return [
            Head(
                column.label or self.words.column(column.key),
                meanings.get(column.key, ""),
                column.kind != "name",
            )
            for column in self.table.columns
        ]

    @property
    def legend(self) -> list[Head]:
        """The figures that are explained below it."""
        return [head for head in self.heads if head.meaning] if self.part.name == EXPLAINED_IN else []

    @property
    def lines(self) -> Iterator[list[ShownCell]]:
        """Rows of cells."""
        for row in self.table.rows:
            cells = zip(self.table.columns, self._row_in_words(row), strict=True)
            yield [self._shown_cell(column, cell) for column, cell in cells]

    def _shown_cell(self, column: Column, cell: Cell) -> ShownCell:
        words, note = self.words.cell(column, cell)
        address = reverse("session", args=[cell]) if column.is_session and cell else ""
        return ShownCell(words, note, column.kind != "name", address)

    def _row_in_words(self, row: Sequence[Cell]) -> Sequence[Cell]:
        """The row; of what was run, with the words of forms in the place of the codes that files keep."""
        if self.part.name != "conditions":
            return row
        key, *values = map(str, row)
        return [key, *(condition_value_words(key, value, self.words.measures.suite) for value in values)]

    @property
    def limits(self) -> list[str]:
        """What it is over, and what it leaves out, said above it."""
        return [self.words.note(note) for note in self.table.notes if note.key in LIMITS]

    @property
    def notes(self) -> list[str]:
        """What is said below it."""
        return [self.words.note(note) for note in self.table.notes if note.key not in LIMITS]


def parts_of(report: Report) -> Sequence[Part]:
    """Those of its benchmark."""
    return reporting_of(report.measures.suite).parts


def shown_dataset(
    statistics: DatasetStatistics,
    dataset: Any,
    words: DatasetWords,
    cached: Mapping[str, int] | None = None,
    sets: Mapping[str, Any] = NO_SETS,
    worlds: Mapping[str, Any] = NO_SETS,
) -> list[ShownPart]:
    """Every part of the statistics of a set of tasks; found: what `DatasetStatistics.of` gave.

    cached: the calls in tool caches by tool, None where they are not told. sets: what it gave of several sets by
    name, which stand side by side first of all. worlds: what scores need of the tasks' worlds, by name.
    """
    made_of = [(part, dataset) for part in statistics.parts]
    if statistics.comparison_part is not None and len(sets) > 1:
        made_of.insert(0, (statistics.comparison_part, sets))
    if statistics.cache_part is not None and cached is not None:
        made_of.append((statistics.cache_part, cached))
    if statistics.world_part is not None and worlds:
        made_of.append((statistics.world_part, worlds))
    parts = []
    for part, source in made_of:
        table = part.build(source)
        drawn = part.chart_table(source) if part.chart_table and table.rows else table
        parts.append(ShownPart(part, table, drawings(part, drawn, (), words.of(part)), words.of(part)))
    return parts


def shown_parts(report: Report) -> list[ShownPart]:
    """Every part of a report."""
    return [shown_part(report, part) for part in parts_of(report)]


def shown_part(report: Report, part: Part) -> ShownPart:
    """One part of a report."""
    labels, words = [run.label for run in report.runs], Words(report.measures).of(part)
    table = part.table(report)
    charts = drawings(part, table, labels, words)
    return ShownPart(part, table, charts, words, tables_like(report, part.counterpart))
