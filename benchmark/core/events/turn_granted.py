"""The event that a participant gets the turn."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, ALL, EventBody, only
from benchmark.core.view import AGENT


class TurnGranted(EventBody):
    """Who acts now, and why.

    kind: as the benchmark names its turns. attempt: above 1 when the former answer was refused; problem: why, as the
    benchmark names it, else "". round: rounds finished so far.
    """

    type: Literal["turn_granted"] = "turn_granted"
    speaker: str
    kind: str
    attempt: int = 1
    problem: str = ""
    round: int = 0

    @property
    def again(self) -> bool:
        """The same turn once more."""
        return self.attempt > 1

    @property
    def hidden(self) -> bool:
        """Whether only the agent may see the answer; then nobody else sees the turn."""
        return False

    def audience(self) -> str:
        """Only the speaker sees that it is asked again, since this would show what was refused."""
        if self.hidden or (self.again and self.speaker == AGENT):
            return AGENT_ONLY
        return only(self.speaker) if self.again else ALL
