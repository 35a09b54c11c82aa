"""The event that an error occurred."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import RESEARCH, EventBody


class ErrorRaised(EventBody):
    """where: what was being done; detail: text for the researcher, which no participant sees."""

    type: Literal["error_raised"] = "error_raised"
    where: str
    kind: str
    detail: str = ""

    def audience(self) -> str:
        return RESEARCH
