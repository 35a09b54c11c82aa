"""Reports of runs: the figures of their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .connection import Connection

if TYPE_CHECKING:
    import pandas as pd

MAIN = "main_results"


@dataclass(frozen=True)
class ReportTable:
    """One table. columns: key, label, meaning; rows: figures by column; words: the same as pages show them."""

    part: str
    title: str
    profile: str
    columns: Sequence[Mapping[str, str]]
    rows: Sequence[Mapping[str, Any]]
    words: Sequence[Sequence[str]]
    notes: Sequence[str]
    _connection: Connection
    _filters: Mapping[str, Any]

    def to_pandas(self) -> pd.DataFrame:
        """The figures. An estimate takes the columns KEY, KEY_low and KEY_high, a spread KEY and KEY_std, a mean KEY,
        KEY_n and KEY_of.
        """
        import pandas as pd

        return pd.DataFrame([dict(_cells(row)) for row in self.rows])

    def words_to_pandas(self) -> pd.DataFrame:
        """The words of the page, under the heads of the page."""
        import pandas as pd

        return pd.DataFrame(self.words, columns=[column["label"] for column in self.columns])

    def latex(self) -> str:
        """The table for a paper, with booktabs: the file that the page offers."""
        return self._connection.text(f"reports/{self.part}/tex", self._filters)


def _cells(row: Mapping[str, Any]) -> list[tuple[str, Any]]:
    cells: list[tuple[str, Any]] = []
    for key, cell in row.items():
        if isinstance(cell, dict) and "value" in cell:
            cells += [(key if name == "value" else f"{key}_{name}", value) for name, value in cell.items()]
        else:
            cells.append((key, cell))
    return cells


class Report:
    """A report of some runs, the others compared with the first."""

    def __init__(self, connection: Connection, filters: Mapping[str, Any]) -> None:
        self._connection, self._filters = connection, dict(filters)

    def data(self) -> dict[str, Any]:
        """All of it, as `manage.py report --format json` writes it."""
        data: dict[str, Any] = self._connection.get("reports", self._filters)
        return data

    def table(self, part: str) -> ReportTable:
        """One of its tables, by the name that `data()["parts"]` has."""
        told = self._connection.get(f"reports/{part}", self._filters)
        names = ("part", "title", "profile", "columns", "rows", "words", "notes")
        given = {name: told[name] for name in names}
        return ReportTable(**given, _connection=self._connection, _filters=self._filters)

    def main_table(self) -> ReportTable:
        """The main results, a row a run."""
        return self.table(MAIN)
