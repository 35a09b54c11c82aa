"""The agent wrote something beside its tool calls."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class AgentNoted(EventBody):
    """Intermediate text of a model step with tool calls: part of the record, never of the chat."""

    type: Literal["agent_noted"] = "agent_noted"
    content: str

    def audience(self) -> str:
        return AGENT_ONLY
