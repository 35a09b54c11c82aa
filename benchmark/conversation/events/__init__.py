"""The typed events of a session's log: one small model a file, joined here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmark.conversation.events.agent_noted import AgentNoted
from benchmark.conversation.events.base import ALL, RESEARCH, EventBody, only
from benchmark.conversation.events.card_dealt import CardDealt
from benchmark.conversation.events.compromise_applied import CompromiseApplied
from benchmark.conversation.events.draft_withdrawn import DraftWithdrawn
from benchmark.conversation.events.error_raised import ErrorRaised
from benchmark.conversation.events.marker_attempted import MarkerAttempted
from benchmark.conversation.events.message_posted import MessagePosted
from benchmark.conversation.events.message_withheld import MessageWithheld
from benchmark.conversation.events.model_called import ModelCalled, Tokens
from benchmark.conversation.events.participant_joined import ParticipantJoined
from benchmark.conversation.events.passed import Passed
from benchmark.conversation.events.plan_mended import PlanMended
from benchmark.conversation.events.plan_proposed import PlanProposed
from benchmark.conversation.events.session_finished import CRASHES, CompletionReason, SessionFinished
from benchmark.conversation.events.session_opened import (
    Contract,
    Member,
    Protocol,
    SessionOpened,
    contract_of,
)
from benchmark.conversation.events.table_inferred import TableInferred
from benchmark.conversation.events.thought_kept import ThoughtKept
from benchmark.conversation.events.tool_called import ToolCalled
from benchmark.conversation.events.tool_returned import ToolReturned
from benchmark.conversation.events.turn_granted import TurnGranted

Body = (
    SessionOpened
    | ParticipantJoined
    | CardDealt
    | TurnGranted
    | MessagePosted
    | MessageWithheld
    | AgentNoted
    | ThoughtKept
    | DraftWithdrawn
    | Passed
    | MarkerAttempted
    | CompromiseApplied
    | ToolCalled
    | ToolReturned
    | TableInferred
    | PlanProposed
    | PlanMended
    | ModelCalled
    | ErrorRaised
    | SessionFinished
)

BODIES: dict[str, type[EventBody]] = {body.model_fields["type"].default: body for body in Body.__args__}


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log. seq: from 1 without gaps. actor: who caused it. at: when, in UTC."""

    seq: int
    actor: str
    audience: str
    body: Body
    at: datetime


def load_body(type_: str, v: int, payload: dict[str, Any]) -> Body:
    """The body of a stored event of any released version.

    Raises:
        KeyError: an event type that this code does not know.
        pydantic.ValidationError: the payload is not of its type.
    """
    return BODIES[type_].load(payload, v)  # type: ignore[return-value]  # BODIES holds the union's members


def may_see(viewer: str, audience: str) -> bool:
    """Whether `viewer` (`research`, `Agent`, or a user's name) receives an event of this audience."""
    if viewer == RESEARCH or audience == ALL:
        return True
    return audience == ("agent" if viewer == "Agent" else only(viewer))


__all__ = [
    "ALL",
    "BODIES",
    "CRASHES",
    "RESEARCH",
    "AgentNoted",
    "Body",
    "CardDealt",
    "CompletionReason",
    "CompromiseApplied",
    "Contract",
    "DraftWithdrawn",
    "ErrorRaised",
    "Event",
    "EventBody",
    "MarkerAttempted",
    "Member",
    "MessagePosted",
    "MessageWithheld",
    "ModelCalled",
    "ParticipantJoined",
    "Passed",
    "PlanMended",
    "PlanProposed",
    "Protocol",
    "SessionFinished",
    "SessionOpened",
    "TableInferred",
    "ThoughtKept",
    "Tokens",
    "ToolCalled",
    "ToolReturned",
    "TurnGranted",
    "contract_of",
    "load_body",
    "may_see",
    "only",
]
