"""Reference tables: which of a record's entries count for what."""

from __future__ import annotations

from typing import Any

from benchmark.preferences.schema import GLOBAL_ROOT

_LEVEL = "preference"


def tables_in(reference: Any) -> dict[str, Any]:
    """The table of every entry of `effective_preferences`: below `preference`, else the entry itself."""
    entries = reference.items() if isinstance(reference, dict) else ()
    return {user: entry.get(_LEVEL, entry) if isinstance(entry, dict) else None for user, entry in entries}


def has_utility(entry: Any) -> bool:
    """Whether group utility counts the user of an entry: one without the level `preference` needs global fields."""
    return isinstance(entry, dict) and (_LEVEL in entry or GLOBAL_ROOT in entry)


def level_of(entry: Any) -> str:
    """The path from an entry, which need not be an object, to its table, as the beginning of a field's name."""
    return f".{_LEVEL}" if isinstance(entry, dict) and _LEVEL in entry else ""
