"""A user tried to give something up."""

from __future__ import annotations

from typing import Any, Literal

from benchmark.core.events.base import EventBody, only

Verdict = Literal["accepted", "unsolicited", "unresolvable", "over_quota", "not_allowed", "unknown_field"]


class MarkerAttempted(EventBody):
    """A compromise marker with its verdict; anything but `accepted` changes no table.

    path, value: as written, where they could be read. logged: this attempt stands in the record's compromise log.
    event: number of the polling or preemption it happened in, counted from 1. said: the whole refused message.
    """

    type: Literal["marker_attempted"] = "marker_attempted"
    user: str
    marker: str
    path: str = ""
    value: Any = None
    verdict: Verdict
    logged: bool = False
    event: int = 0
    said: str = ""

    def audience(self) -> str:
        return only(self.user)
