"""The result tables of a benchmark's paper, as data: beside own runs, never ranked among or tested against them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

_COUNTERPART = re.compile(r"(Table|Figure)s? (\S+?)(?: and (\S+))?")
"""How a part names its counterparts: one table or figure, or two."""


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class PublishedColumn(_Read):
    """A column as printed. metric: of which it is a slice; slice: None for all. digits: most decimals printed."""

    key: str
    label: str
    unit: str
    better: Literal["high", "low"] | None
    metric: str
    slice: str | None
    digits: int


class PublishedRow(_Read):
    """A row as printed. thinking: None where the paper does not say. std: by column. approx: it says about."""

    model: str
    group: str | None = None
    thinking: bool | None = None
    slice: str | None = None
    values: Mapping[str, float | None]
    std: Mapping[str, float] = Field(default_factory=dict)
    approx: bool = False


class Doubt(_Read):
    """Why printed cells may be wrong. rows, columns: None for all."""

    tables: Sequence[str]
    rows: Sequence[Mapping[str, str | None]] | None
    columns: Sequence[str] | None
    reason: str

    def concerns(self, table: str, row: PublishedRow, column: str) -> bool:
        """Whether it is about a cell."""
        return (
            table in self.tables
            and (self.columns is None or column in self.columns)
            and (self.rows is None or any(_is_of(table_row, row) for table_row in self.rows))
        )


def _is_of(named: Mapping[str, str | None], row: PublishedRow) -> bool:
    return named.get("model") == row.model and named.get("group") in (None, row.group)


class PublishedTable(_Read):
    """A table or figure of the paper. origin: `text` for numbers from sentences."""

    id: str
    about: str
    origin: Literal["table", "text"]
    rows_are: str
    columns: Sequence[PublishedColumn]
    rows: Sequence[PublishedRow]
    notes: Sequence[str] = ()

    def best(self, column: PublishedColumn) -> float | None:
        """The best value of a column; None where none is better, or there is nothing to compare it with."""
        known = [value for row in self.rows if (value := row.values.get(column.key)) is not None]
        if column.better is None or len(known) < 2:
            return None
        return max(known) if column.better == "high" else min(known)


class PublishedResults(_Read):
    """The tables of one paper. setting: the conditions that it states, by name."""

    paper: str
    source: str | None = None
    setting: Mapping[str, Any] = Field(default_factory=dict)
    tables: Sequence[PublishedTable]
    doubts: Sequence[Doubt] = ()

    def like(self, counterpart: str) -> list[PublishedTable]:
        """The tables that a part is the like of: `Tables 2 and 10`, `Figure 7`."""
        match = _COUNTERPART.fullmatch(counterpart)
        named = [f"{match[1]} {number}" for number in match.groups()[1:] if number] if match else []
        return [table for table in self.tables if table.id in named]

    def doubts_of(self, table: PublishedTable) -> list[Doubt]:
        """The doubts about a table."""
        return [doubt for doubt in self.doubts if table.id in doubt.tables]

    def rows_of(self, metric: str) -> Iterator[tuple[PublishedTable, PublishedRow]]:
        """The models that the paper gives a value of a metric over all tasks, each once, in the printed order."""
        seen = set()
        for table in self.tables:
            keys = [
                column.key for column in table.columns if column.metric == metric and column.slice is None
            ]
            if not keys or table.rows_are != "models" or table.origin != "table":
                continue
            for row in table.rows:
                if row.slice is None and row.model not in seen and row.values.get(keys[0]) is not None:
                    seen.add(row.model)
                    yield table, row


@cache
def published_results(path: Path) -> PublishedResults:
    """Read the tables of a paper from the file that a suite names."""
    return PublishedResults.model_validate_json(path.read_bytes())
