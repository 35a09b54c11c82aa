"""A user's effective table changed."""

from __future__ import annotations

from typing import Any, Literal

from benchmark.core.events.base import EventBody, only


class CompromiseApplied(EventBody):
    """`path` as resolved below the preference table; `value` replaces what stood there (`was`).

    event: number of the polling or preemption it happened in, counted from 1.
    """

    type: Literal["compromise_applied"] = "compromise_applied"
    user: str
    path: str
    value: Any
    was: Any = None
    event: int

    def audience(self) -> str:
        return only(self.user)
