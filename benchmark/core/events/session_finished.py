"""The event that the session ends."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import StringConstraints

from benchmark.core.events.base import EventBody

Crash = Literal["context_overflow", "connection_error", "rate_limit", "runtime_error"]
CRASHES: tuple[Crash, ...] = get_args(Crash)


class SessionFinished(EventBody):
    """reason: a crash, `stopped` when a researcher ended it, or a name that the benchmark's rules have for their end.

    Nothing follows this event.
    """

    type: Literal["session_finished"] = "session_finished"
    reason: Annotated[str, StringConstraints(pattern="^[a-z_]{1,40}$")]
    plan_generated: bool = False
