"""Reading what tools returned: answers may come from other people's caches, or from a model."""

from __future__ import annotations

import json
from functools import lru_cache

from benchmark.core.view import ToolEntry
from sandbox.tools.results import Partial, read_partial
from sandbox.toolsets.grouptravel.tools import TOOLS

_MOST = 1e9
"""No figure of a trip is as large."""


def told_by(entry: ToolEntry) -> Partial | None:
    """What a call's answer tells, in its tool's own form; None for errors and for what is no object."""
    return told_in(entry.name, entry.result) if entry.result else None


def as_text(told: Partial, field: str) -> str:
    """A field of what was told, as text; "" where it was not told, and "None" where it was told to be null."""
    return str(getattr(told, field)) if field in told.model_fields_set else ""


@lru_cache(maxsize=1024)
def told_in(tool: str, result: str) -> Partial | None:
    """What the text of a tool's result tells. The log is read several times in a session; an answer is read once."""
    try:
        value = json.loads(result)
    except (ValueError, RecursionError):
        return None
    if tool not in TOOLS or not isinstance(value, dict) or "error" in value:
        return None
    return read_partial(TOOLS[tool].partial, value, most=_MOST)
