"""What one participant knows, with the fields that every benchmark has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sandbox.toolsets.base import DEFAULT_TOOLSET

AGENT = "Agent"
SIMULATOR = "Simulator"
"""The seat of the model that answers tool calls which no cache holds; it sees none of the conversation."""


@dataclass(frozen=True, slots=True)
class Message:
    """A chat message as everybody sees it. `role` is a participant's name."""

    seq: int
    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool call of the agent with what came back. `result` is the tool's text (JSON), None while it runs.

    seq: number of the call's event, which places it among messages. turn: seq of the turn's grant; step: the model
    step in that turn, so that calls of one (turn, step) were made together.
    """

    call_id: str
    name: str
    arguments: dict[str, Any] | str
    result: str | None
    error: bool
    source: str
    seq: int = 0
    turn: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """What the agent wrote beside tool calls (kind `note`), or thought before it spoke or called (`thought`)."""

    seq: int
    turn: int
    kind: Literal["note", "thought"]
    content: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Words of this participant in this turn that did not count (see `Redo`)."""

    seq: int
    content: str
    why: str
    note: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Why this participant is asked.

    kind: as the benchmark names its turns.
    attempt: 1, or higher when the former answer to this same turn was refused.
    tools_allowed: False when the agent has to say something now (20 model steps spent, or calls repeated).
    step: model steps the agent has already taken in this turn, 0 at its start.
    problem: why this same turn is asked again, as the benchmark names it, else "".
    unread: why this participant's answer to its turn before could not be read, as the benchmark names it, else "";
        that turn is not asked again.
    refused: this participant's own words to that same turn that were refused, oldest first.
    drafts: what it withdrew itself since it was last asked (`Redo`), oldest first.
    seq: number of the grant, the same until another turn is granted or this one is asked again.
    """

    kind: str
    attempt: int = 1
    tools_allowed: bool = True
    step: int = 0
    problem: str = ""
    unread: str = ""
    refused: tuple[str, ...] = ()
    drafts: tuple[Draft, ...] = ()
    seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything that participant `me` may know at this moment; a benchmark's subclass says the rest.

    round: as the benchmark counts them. messages: the whole visible chat, oldest first, opening messages included.
    tool_log, notes: the agent's tool entries and notes of the whole session; empty for others. toolset: the
    name of the tools that the session's agent may call.
    """

    me: str
    language: str
    seed: int
    round: int
    messages: tuple[Message, ...]
    turn: Turn
    tool_log: tuple[ToolEntry, ...] = ()
    notes: tuple[Note, ...] = ()
    toolset: str = DEFAULT_TOOLSET
