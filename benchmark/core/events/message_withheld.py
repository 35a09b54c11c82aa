"""The agent wrote something that the chat never sees."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class MessageWithheld(EventBody):
    """why: as the benchmark names it."""

    type: Literal["message_withheld"] = "message_withheld"
    content: str
    why: str

    def audience(self) -> str:
        return AGENT_ONLY
