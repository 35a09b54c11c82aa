"""A paper's own results in words, beside those of own runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.reports import Column, Report, RunFigures
from benchmark.reports.paper_results import PublishedColumn, PublishedResults, PublishedRow, PublishedTable
from webapp.reports.wording import Words
from webapp.wording.lists import join_items
from webapp.wording.numbers import number_words

GROUPS = ("group", "slice")
_SETTING = {
    "world": gettext_lazy("world"),
    "tasks": gettext_lazy("tasks"),
    "trials": gettext_lazy("trials per task"),
    "agent_temperature": gettext_lazy("temperature of the agent's model"),
    "user_simulator": gettext_lazy("travellers' model"),
    "tool_simulator": gettext_lazy("model that simulates tools"),
    "judge": gettext_lazy("judge"),
}
"""What is set beside the conditions of own runs, by the paper's key."""


class PublishedCell(NamedTuple):
    """A printed figure. best: of its column. doubted: there is a reason to think that it may be wrong."""

    words: str
    best: bool
    doubted: bool


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One table of a paper as pages and files show it, in the paper's own headings."""

    results: PublishedResults
    table: PublishedTable

    @property
    def title(self) -> str:
        """Which table of which paper it is."""
        return _("Published: %(paper)s, %(table)s") % {
            "paper": self.results.paper,
            "table": Words.counterpart(self.table.id),
        }

    @property
    def heads(self) -> list[str]:
        """The heads of its columns of figures, each with its unit."""
        return [
            column.label if column.unit in ("count", "points") else f"{column.label}, {column.unit}"
            for column in self.table.columns
        ]

    @property
    def lines(self) -> Iterator[tuple[str, str, list[PublishedCell]]]:
        """A row each: whose figures, which group of such, the figures."""
        for row in self.table.rows:
            beside = " · ".join(str(told) for name in GROUPS if (told := getattr(row, name)))
            yield row.model, beside, [self._cell(row, column) for column in self.table.columns]

    def _cell(self, row: PublishedRow, column: PublishedColumn) -> PublishedCell:
        value, std = row.values.get(column.key), row.std.get(column.key)
        words = number_words(value, column.digits)
        if std is not None:
            words = f"{words} ± {number_words(std, column.digits)}"
        doubted = any(doubt.concerns(self.table.id, row, column.key) for doubt in self.results.doubts)
        best = value is not None and value == self.table.best(column)
        return PublishedCell(f"≈ {words}" if row.approx and value is not None else words, best, doubted)

    @property
    def notes(self) -> list[str]:
        """What the figures are over, and why some are doubted."""
        return [*self.table.notes, *(doubt.reason for doubt in self.results.doubts_of(self.table))]


def tables_like(report: Report, counterpart: str) -> list[ShownTable]:
    """The paper's tables that a part of the report is the like of, where the report shows them."""
    if report.paper_results is None:
        return []
    return [ShownTable(report.paper_results, table) for table in report.paper_results.like(counterpart)]


class ComparedCondition(NamedTuple):
    """A condition, in the paper and here."""

    label: str
    in_paper: str
    in_runs: str


def conditions_beside(
    report: Report, results: PublishedResults, runs: Sequence[RunFigures]
) -> list[ComparedCondition]:
    """What the paper's figures and those of these runs of a report were made under, where the paper says so."""
    there = {"world": _("the paper's own"), **{key: str(value) for key, value in results.setting.items()}}
    here = _own_conditions(report, runs)
    return [
        ComparedCondition(str(_SETTING[key]), there[key], here[key] or "–")
        for key in _SETTING
        if key in there
    ]


def _own_conditions(report: Report, runs: Sequence[RunFigures]) -> dict[str, str]:
    conditions = [run.conditions for run in runs]

    def values_of(*keys: str) -> str:
        return _distinct(
            " ".join(filter(None, (condition.get(key, "") for key in keys))) for condition in conditions
        )

    return {
        "world": values_of("world"),
        "tasks": _distinct(str(len(run.tasks.ids)) for run in runs),
        "trials": values_of("trials"),
        "agent_temperature": values_of("agent_model"),
        "user_simulator": values_of("users", "user_model"),
        "tool_simulator": values_of("mode", "simulator_model"),
        "judge": report.pair.judge_label if report.pair else "",
    }


def _distinct(told: Iterable[str]) -> str:
    return join_items(dict.fromkeys(text for text in told if text))


class PublishedLine(NamedTuple):
    """A model of the paper beside ranked runs: its cells stand under the columns of the runs."""

    model: str
    table: str
    cells: Sequence[PublishedCell]


def lines_beside(results: PublishedResults, columns: Sequence[Column]) -> list[PublishedLine]:
    """The models that the paper gives the first column's figure of, with what else it gives over all tasks."""
    rows = list(results.rows_of(columns[0].key))
    values = [{column.key: _value(table, row, column.key) for column in columns} for table, row in rows]
    best = {
        column.key: _best(results, column.key, [line[column.key] for line in values]) for column in columns
    }
    return [
        PublishedLine(
            row.model,
            Words.counterpart(table.id),
            [
                _value_beside(results, table, row, column, own[column.key], best[column.key])
                for column in columns
            ],
        )
        for (table, row), own in zip(rows, values, strict=True)
    ]


def _column(table: PublishedTable, metric: str) -> PublishedColumn | None:
    return next(
        (column for column in table.columns if column.metric == metric and column.slice is None), None
    )


def _value(table: PublishedTable, row: PublishedRow, metric: str) -> float | None:
    column = _column(table, metric)
    return row.values.get(column.key) if column else None


def _best(results: PublishedResults, metric: str, values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    better = next((column.better for table in results.tables if (column := _column(table, metric))), None)
    if better is None or len(known) < 2:
        return None
    return max(known) if better == "high" else min(known)


def _value_beside(
    results: PublishedResults,
    table: PublishedTable,
    row: PublishedRow,
    column: Column,
    value: float | None,
    best: float | None,
) -> PublishedCell:
    printed = _column(table, column.key)
    doubted = printed is not None and any(
        doubt.concerns(table.id, row, printed.key) for doubt in results.doubts
    )
    words = number_words(value, printed.digits if printed else column.places)
    return PublishedCell(words, value is not None and value == best, doubted)


def plain_of(results: PublishedResults, table: PublishedTable) -> dict[str, Any]:
    """A table of a paper for files: its columns, rows of printed figures, and the doubts about them."""
    return {
        "paper": results.paper,
        "table": table.id,
        "columns": [column.model_dump(mode="json") for column in table.columns],
        "rows": [row.model_dump(mode="json") for row in table.rows],
        "doubts": [doubt.reason for doubt in results.doubts_of(table)],
    }
