"""Reading caches: what they hold, and how sessions used them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from benchmark.core.tool_use import ToolUse
from webapp.caches.models import ToolCache


@dataclass(frozen=True, slots=True)
class ToolFigures:
    """One tool of a cache. entries: pack and learned; share: of all entries, 0 to 1; misses: calls in the log of
    misses.
    """

    tool: str
    entries: int
    share: float
    misses: int
    use: ToolUse


def tool_figures(
    counts: Mapping[str, int], missed: Mapping[str, int], uses: Mapping[str, ToolUse]
) -> list[ToolFigures]:
    """A row a tool, the fullest first."""
    tools, every = {*counts, *missed, *uses}, sum(counts.values()) or 1
    rows = [
        ToolFigures(t, counts.get(t, 0), counts.get(t, 0) / every, missed.get(t, 0), uses.get(t, ToolUse()))
        for t in tools
    ]
    return sorted(rows, key=lambda row: (-row.entries, row.tool))


def cached_calls() -> dict[str, int]:
    """The entries of all caches by tool, as they were counted last."""
    calls_by_tool: Counter[str] = Counter()
    for counts in ToolCache.objects.values_list("counts", flat=True):
        calls_by_tool.update(counts)
    return dict(calls_by_tool)


def uses_of(cache: ToolCache) -> dict[str, ToolUse]:
    """How the ended sessions over a cache used each tool."""
    uses: dict[str, ToolUse] = {}
    for stored in cache.sessions.values_list("tool_use", flat=True):
        for tool, use in stored.items():
            uses.setdefault(tool, ToolUse()).add(ToolUse.of(use))
    return uses
