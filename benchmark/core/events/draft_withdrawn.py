"""A participant's words that did not count."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody, only


class DraftWithdrawn(EventBody):
    """speaker is asked again and sees them. why: the reason's short name; note: what is remembered beside them."""

    type: Literal["draft_withdrawn"] = "draft_withdrawn"
    speaker: str
    content: str
    why: str
    note: str = ""

    def audience(self) -> str:
        return AGENT_ONLY if self.speaker == "Agent" else only(self.speaker)
