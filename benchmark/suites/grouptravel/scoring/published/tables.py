"""Reference tables: which of a record's entries count for what."""

from __future__ import annotations

from typing import Any

from benchmark.suites.grouptravel.preferences.schema import GLOBAL_FIELDS, GLOBAL_ROOT
from benchmark.suites.grouptravel.preferences.tables import FieldValues, read

_LEVEL = "preference"
_MODES = [field for field in GLOBAL_FIELDS if field.topic == "transport"]


def tables_in(reference: Any) -> dict[str, Any]:
    """The table of every entry of `effective_preferences`: below `preference`, else the entry itself."""
    entries = reference.items() if isinstance(reference, dict) else ()
    return {user: entry.get(_LEVEL, entry) if isinstance(entry, dict) else None for user, entry in entries}


def has_utility(entry: Any) -> bool:
    """Whether group utility counts the user of an entry: one without the level `preference` needs global fields."""
    return isinstance(entry, dict) and (_LEVEL in entry or GLOBAL_ROOT in entry)


def with_empty_texts(filled: FieldValues, table: Any) -> FieldValues:
    """The filled fields of a table, and those for modes that hold the text "": in it the mode "" is found."""
    empty = {field: "" for field in _MODES if read(table, field) == ""}
    return {**filled, "": {**filled.get("", {}), **empty}}


def level_of(entry: Any) -> str:
    """The path from an entry, which need not be an object, to its table, as the beginning of a field's name."""
    return f".{_LEVEL}" if isinstance(entry, dict) and _LEVEL in entry else ""
