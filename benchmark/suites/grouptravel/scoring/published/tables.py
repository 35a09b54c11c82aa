"""Reference tables in which a mode is the text ""."""

from __future__ import annotations

from typing import Any

from benchmark.suites.grouptravel.preferences.schema import GLOBAL_FIELDS
from benchmark.suites.grouptravel.preferences.tables import FieldValues, read

_MODES = [field for field in GLOBAL_FIELDS if field.topic == "transport"]


def with_empty_texts(filled: FieldValues, table: Any) -> FieldValues:
    """The filled fields of a table, and those for modes that hold the text "": in it the mode "" is found."""
    empty = {field: "" for field in _MODES if read(table, field) == ""}
    return {**filled, "": {**filled.get("", {}), **empty}}
