"""A tool answers."""

from __future__ import annotations

from typing import Literal

from benchmark.conversation.events.base import AGENT_ONLY, EventBody


class ToolReturned(EventBody):
    """result: the tool's text. source: world, cache, simulated, live, or none where nothing could answer."""

    type: Literal["tool_returned"] = "tool_returned"
    call_id: str
    result: str
    error: bool = False
    source: str = "world"
    latency_ms: float = 0.0

    def audience(self) -> str:
        return AGENT_ONLY
