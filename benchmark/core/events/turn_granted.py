"""Somebody's turn begins."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, ALL, EventBody, only
from benchmark.core.view import AGENT, TurnKind

Place = Literal["hidden", "opening", "checkpoint", "lap", "preempt", "end"]


class TurnGranted(EventBody):
    """Who acts now, and why.

    kind: see `benchmark.core.view.Turn`.
    place: what the turn is to the schedule: `hidden` (a summary), `opening` and `checkpoint` (convergences),
      `lap` (a polling slot), `preempt` (a mention), `end` (the final plan on demand).
    attempt: above 1 when the former answer was refused; passes: how often a mentioned user has passed already.
    round: rounds finished so far. slot: position in the polling lap (users first, the agent last).
    skipped: users who lost their slot just before, since nothing new was said.
    leads_to: what follows a summary. history: how many of the visible messages it works on, None for all.
    """

    type: Literal["turn_granted"] = "turn_granted"
    speaker: str
    kind: TurnKind
    place: Place
    attempt: int = 1
    passes: int = 0
    problem: str = ""
    round: int = 0
    slot: int = 0
    skipped: tuple[str, ...] = ()
    leads_to: Literal["", "opening", "checkpoint", "finish"] = ""
    history: int | None = None

    @property
    def again(self) -> bool:
        """The same turn once more, after a refused answer or a pass."""
        return self.attempt > 1 or self.passes > 0

    def audience(self) -> str:
        """A second asking is known to the speaker alone: it would give a marker or a pass away."""
        if self.kind == "summary" or (self.again and self.speaker == AGENT):
            return AGENT_ONLY
        return only(self.speaker) if self.again else ALL
