"""A traveller gets a card."""

from __future__ import annotations

from typing import Any, Literal

from benchmark.core.events.base import EventBody, only


class CardDealt(EventBody):
    """One traveller's secret: role, original preference table (published shape), whether they may yield."""

    type: Literal["card_dealt"] = "card_dealt"
    user: str
    card: dict[str, Any]

    def audience(self) -> str:
        return only(self.user)
