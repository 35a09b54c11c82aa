"""What tool caches hold (appendix B.5, Figure 6): a matter of worlds and runs, not of tasks."""

from __future__ import annotations

from collections.abc import Mapping

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.dataset import DatasetPart
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.grouptravel.statistics.parts.cells import bars, percent, sides
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


PART = DatasetPart(
    "cached_calls",
    cached_calls,
    bars("tool", across=True, series=HOLDER),
    cached_drawn,
    "Figure 6",
    PartWords(
        _("Cached tool calls"),
        _(
            "Percentage of the calls in all your tool caches, whichever tasks are chosen above. "
            "The paper's figures are those of its own cache."
        ),
        columns={
            "tool": _("tool"),
            "entries": _("cached calls"),
            "paper_entries": _("cached calls, the paper"),
        },
        axes={"": _("% of cached calls")},
        values={HOLDER: {"ours": _("your caches"), "paper": _("the paper")}},
        notes={
            "cached_calls": ngettext_noop(
                "%(n)s call is in your caches, %(paper)s in the paper's. The paper's text gives %(told)s "
                "of its bars, three of them rounded.",
                "%(n)s calls are in your caches, %(paper)s in the paper's. The paper's text gives "
                "%(told)s of its bars, three of them rounded.",
            ),
            "no_cache": _("You have no tool cache with calls yet; see Caches."),
        },
    ),
)
