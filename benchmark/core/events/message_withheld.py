"""The event that the agent wrote a message which is not shown in the chat."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class MessageWithheld(EventBody):
    """why: the benchmark's name for the reason."""

    type: Literal["message_withheld"] = "message_withheld"
    content: str
    why: str

    def audience(self) -> str:
        return AGENT_ONLY
