"""What tool caches hold (appendix B.5, Figure 6): a matter of worlds and runs, not of tasks."""

from __future__ import annotations

from collections.abc import Mapping

from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.suites.grouptravel.statistics.parts.cells import percent, sides
from benchmark.suites.grouptravel.statistics.targets import TARGETS
from sandbox.toolsets.grouptravel.tools import TOOLS

_PAPER: Mapping[str, int] = TARGETS["figure6_cache"]["value"]
_WHOLE = "total"
HOLDER = "holder"
"""Whose caches they are."""


def cached_calls(entries: Mapping[str, int]) -> Table:
    """Figure 6: a row a tool, the fullest first; of the paper's ten bars its text tells four.

    entries: calls by tool in caches; tools that the benchmark lacks do not count.
    """
    own = {tool: entries.get(tool, 0) for tool in TOOLS}
    total, paper = sum(own.values()), _PAPER[_WHOLE]
    order = sorted(own, key=lambda tool: (-own[tool], -_PAPER.get(tool, 0), tool))
    rows: list[list[Cell]] = [
        [tool, own[tool], percent(own[tool], total), _PAPER.get(tool), percent(_PAPER.get(tool), paper)]
        for tool in order
    ]
    columns = (
        *(Column("tool", "name"), Column("entries", "count"), Column("share", places=1)),
        *(Column("paper_entries", "count"), Column("paper_share", places=1)),
    )
    notes = [Note("cached_calls", {"n": total, "paper": paper, "told": len(_PAPER.keys() & own.keys())})]
    return Table(columns, rows, notes if total else [*notes, Note("no_cache")])


def cached_drawn(entries: Mapping[str, int]) -> Table:
    """What its chart is drawn from."""
    shown = cached_calls(entries)
    return sides("tool", shown.cells("tool"), shown.cells("share"), shown.cells("paper_share"), HOLDER)
