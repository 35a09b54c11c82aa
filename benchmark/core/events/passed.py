"""The event that a user had nothing to say."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import EventBody, only


class Passed(EventBody):
    type: Literal["passed"] = "passed"
    user: str

    def audience(self) -> str:
        return only(self.user)
