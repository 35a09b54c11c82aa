"""A thinking model's thoughts."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, RESEARCH, EventBody


class ThoughtKept(EventBody):
    """What a model wrote before the words or calls that follow; part of neither chat nor record."""

    type: Literal["thought_kept"] = "thought_kept"
    speaker: str
    content: str

    def audience(self) -> str:
        return AGENT_ONLY if self.speaker == "Agent" else RESEARCH
