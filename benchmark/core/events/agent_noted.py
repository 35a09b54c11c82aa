"""The event that the agent wrote a text with its tool calls."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class AgentNoted(EventBody):
    """The text that a model wrote with its tool calls. It is in the record, but not in the chat."""

    type: Literal["agent_noted"] = "agent_noted"
    content: str

    def audience(self) -> str:
        return AGENT_ONLY
