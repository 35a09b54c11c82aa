"""The agent wrote something that the chat never sees."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class MessageWithheld(EventBody):
    """why: `table` (a preference table in place of an utterance) or `no_plan` (a refused final plan)."""

    type: Literal["message_withheld"] = "message_withheld"
    content: str
    why: Literal["table", "no_plan"]

    def audience(self) -> str:
        return AGENT_ONLY
