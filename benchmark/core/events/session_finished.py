"""The session ends."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import EventBody

CompletionReason = Literal[
    "plan_generated",
    "max_turn_reached",
    "multiple_repeated_tool_calls",
    "consecutive_repeated_tool_calls",
    "context_overflow",
    "connection_error",
    "rate_limit",
    "runtime_error",
    "stopped",
]
CRASHES = ("context_overflow", "connection_error", "rate_limit", "runtime_error")


class SessionFinished(EventBody):
    """reason: the published names, and `stopped` when a researcher ended it. Nothing follows this event."""

    type: Literal["session_finished"] = "session_finished"
    reason: CompletionReason
    plan_generated: bool = False
