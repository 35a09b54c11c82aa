"""The event that a model wrote thoughts."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, RESEARCH, EventBody


class ThoughtKept(EventBody):
    """The thoughts before the words or calls that follow. They are neither in the chat nor in the record."""

    type: Literal["thought_kept"] = "thought_kept"
    speaker: str
    content: str

    def audience(self) -> str:
        return AGENT_ONLY if self.speaker == "Agent" else RESEARCH
