"""Broken JSON of a plan was repaired before it was posted."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, EventBody


class PlanMended(EventBody):
    """written: the message as the model wrote it; the message that follows holds the repaired plan."""

    type: Literal["plan_mended"] = "plan_mended"
    written: str

    def audience(self) -> str:
        return AGENT_ONLY
