"""The event that a participant withdrew a draft."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody, only


class DraftWithdrawn(EventBody):
    """The speaker is asked again and sees the draft. why: the reason's short name; note: text kept with it."""

    type: Literal["draft_withdrawn"] = "draft_withdrawn"
    speaker: str
    content: str
    why: str
    note: str = ""

    def audience(self) -> str:
        return AGENT_ONLY if self.speaker == "Agent" else only(self.speaker)
