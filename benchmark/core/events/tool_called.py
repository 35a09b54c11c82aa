"""The event that the agent calls a tool."""

from __future__ import annotations

from typing import Any, Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class ToolCalled(EventBody):
    """step: the model step of this turn that made the call, counted from 1; all calls of a step run together.

    arguments: the object, or the raw text where the model wrote none.
    """

    type: Literal["tool_called"] = "tool_called"
    call_id: str
    name: str
    arguments: dict[str, Any] | str
    step: int

    def audience(self) -> str:
        return AGENT_ONLY
