"""The typed events of a session's log that every benchmark shares: one small model a file, joined here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from benchmark.core.events.agent_noted import AgentNoted
from benchmark.core.events.base import ALL, RESEARCH, EventBody, only
from benchmark.core.events.draft_withdrawn import DraftWithdrawn
from benchmark.core.events.error_raised import ErrorRaised
from benchmark.core.events.kinds import Kinds
from benchmark.core.events.message_posted import MessagePosted
from benchmark.core.events.message_withheld import MessageWithheld
from benchmark.core.events.model_called import ModelCalled, Tokens
from benchmark.core.events.participant_joined import ParticipantJoined
from benchmark.core.events.passed import Passed
from benchmark.core.events.session_finished import CRASHES, Crash, SessionFinished
from benchmark.core.events.session_opened import Contract, Protocol, SessionOpened, contract_of
from benchmark.core.events.thought_kept import ThoughtKept
from benchmark.core.events.tool_called import ToolCalled
from benchmark.core.events.tool_returned import ToolReturned
from benchmark.core.events.turn_granted import TurnGranted


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
    "ALL",
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
    "Tokens",
    "ToolCalled",
    "ToolReturned",
    "TurnGranted",
    "contract_of",
    "may_see",
    "only",
]
