"""Somebody's turn begins, in a lap, at a convergence, by a mention, or at the end."""

from __future__ import annotations

from typing import Literal

from benchmark.core import events

TurnKind = Literal["summary", "convergence", "polled", "mentioned", "final"]
Place = Literal["hidden", "opening", "checkpoint", "lap", "preempt", "end"]


class TurnGranted(events.TurnGranted):
    """kind: see `benchmark.suites.grouptravel.view.Turn`.

    place: what the turn is to the schedule: `hidden` (a summary), `opening` and `checkpoint` (convergences),
      `lap` (a polling slot), `preempt` (a mention), `end` (the final plan on demand).
    passes: how often a mentioned user has passed already.
    slot: position in the polling lap (users first, the agent last).
    skipped: users who lost their slot just before, since nothing new was said.
    leads_to: what follows a summary. history: how many of the visible messages it works on, None for all.
    """

    kind: TurnKind
    place: Place
    passes: int = 0
    slot: int = 0
    skipped: tuple[str, ...] = ()
    leads_to: Literal["", "opening", "checkpoint", "finish"] = ""
    history: int | None = None

    @property
    def again(self) -> bool:
        """The same turn once more, after a refused answer or a pass."""
        return super().again or self.passes > 0

    @property
    def hidden(self) -> bool:
        """A summary is the agent's own affair."""
        return self.kind == "summary"
