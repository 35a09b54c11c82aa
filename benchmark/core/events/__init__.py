"""The typed events of a session's log that every benchmark shares."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from benchmark.core.events.base import ALL, RESEARCH, EventBody, only
from benchmark.core.events.calls import ModelCalled, ToolCalled, ToolReturned
from benchmark.core.events.kinds import Kinds
from benchmark.core.events.session import (
    CRASHES,
    Contract,
    Crash,
    ErrorRaised,
    ParticipantJoined,
    Protocol,
    SessionFinished,
    SessionOpened,
    contract_of,
)
from benchmark.core.events.words import (
    AgentNoted,
    DraftWithdrawn,
    MessagePosted,
    MessageWithheld,
    Passed,
    ThoughtKept,
    TurnGranted,
)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log. seq: from 1 without gaps. actor: who caused it. at: when, in UTC."""

    seq: int
    actor: str
    audience: str
    body: EventBody
    at: datetime


def may_see(viewer: str, audience: str) -> bool:
    """Whether `viewer` (`research`, `Agent`, or a user's name) receives an event of this audience."""
    if viewer == RESEARCH or audience == ALL:
        return True
    return audience == ("agent" if viewer == "Agent" else only(viewer))


__all__ = [
    "CRASHES",
    "RESEARCH",
    "AgentNoted",
    "Contract",
    "Crash",
    "DraftWithdrawn",
    "ErrorRaised",
    "Event",
    "EventBody",
    "Kinds",
    "MessagePosted",
    "MessageWithheld",
    "ModelCalled",
    "ParticipantJoined",
    "Passed",
    "Protocol",
    "SessionFinished",
    "SessionOpened",
    "ThoughtKept",
    "ToolCalled",
    "ToolReturned",
    "TurnGranted",
    "contract_of",
    "may_see",
    "only",
]
