"""Notes as files."""

from __future__ import annotations

from django.db.models import QuerySet

from benchmark.jsonlines import json_line
from webapp.notes.models import Note
from webapp.notes.selectors import COLUMNS, as_rows
from webapp.spreadsheets import csv_text

FORMATS = ("jsonl", "csv")


def as_file(notes: QuerySet[Note], written_as: str) -> bytes:
    """All these notes, as `jsonl` or `csv`."""
    if written_as == "csv":
        return csv_text(COLUMNS, as_rows(notes)).encode()
    return b"".join(map(json_line, as_rows(notes)))
