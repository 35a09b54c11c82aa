"""What a participant may do when it is asked to act."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

PASS = "[pass]"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a sandbox tool. `arguments` is the parsed object, or the raw text where it is not a JSON object."""

    name: str
    arguments: dict[str, Any] | str = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Say:
    """One utterance, as written: markers, mentions and `[pass]` are read by the engine, not by the participant.

    mended_from: the words as the model wrote them, where broken JSON of a plan was repaired in `content`, else "".
    thought: what a thinking model wrote before it; kept in the log, never in the chat.
    """

    content: str
    mended_from: str = ""
    thought: str = ""


@dataclass(frozen=True, slots=True)
class CallTools:
    """Tool calls of one model step; the engine runs them and asks again. `note` is text written beside them."""

    calls: tuple[ToolCall, ...]
    note: str = ""
    thought: str = ""


def calls_as_text(action: CallTools) -> str:
    """Tool calls as an inbox keeps them."""
    calls = [{"name": call.name, "arguments": call.arguments} for call in action.calls]
    return json.dumps({"calls": calls, "note": action.note}, ensure_ascii=False)


def calls_in_text(text: str) -> CallTools:
    """The tool calls that `calls_as_text` has written."""
    plain = json.loads(text)
    calls = tuple(ToolCall(call["name"], call["arguments"]) for call in plain["calls"])
    return CallTools(calls, plain["note"])


@dataclass(frozen=True, slots=True)
class Redo:
    """A draft that the participant withdraws: the engine keeps it in the log and asks the same participant again.

    The next view's `turn.drafts` holds them. why: a short name of the reason, such as `mentions_user` or
    `critique`, by which they are counted. note: what the participant wants to remember beside them, such as the
    faults found in a plan.
    """

    content: str
    why: str
    note: str = ""
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing to say in this turn (users only)."""

    thought: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Not ready yet: a person has to act. The step ends, the session sleeps until something arrives."""


Action = Say | CallTools | Redo | Pass | Waiting


# The error of a participant that ends its session.


class ParticipantFault(RuntimeError):
    """A participant, usually a model, did something after which the session can't go on; the message says what.

    It is no fault of this program: it is told in the session, and needs no traceback.
    """
