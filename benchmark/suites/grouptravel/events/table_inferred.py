"""The agent wrote down what it believes."""

from __future__ import annotations

from typing import Any, Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class TableInferred(EventBody):
    """table: {user: preference table}, which replaces the former belief; None when the text could not be read.

    raw: the text where it could not be read. inline: it came in place of an utterance.
    """

    type: Literal["table_inferred"] = "table_inferred"
    table: dict[str, Any] | None
    raw: str = ""
    inline: bool = False

    def audience(self) -> str:
        return AGENT_ONLY
