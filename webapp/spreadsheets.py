"""Tables for other programs (CSV, RFC 4180)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def csv_text(columns: Sequence[str], lines: Iterable[Mapping[str, Any]]) -> str:
    """A head of column names and a line for each mapping, which may lack columns and has no others."""
    text = StringIO(newline="")
    writer = csv.DictWriter(text, columns, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: _plain(value) for name, value in line.items()} for line in lines)
    return text.getvalue()


def _plain(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula is quoted, as spreadsheets have it; numbers are numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
