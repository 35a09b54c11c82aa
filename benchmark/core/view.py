"""What one participant knows: a fold over the events that this participant may see, and over nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sandbox.toolsets.base import DEFAULT_TOOLSET

AGENT = "Agent"
SIMULATOR = "Simulator"
"""The seat of the model that answers tool calls which no cache holds; it sees none of the conversation."""

TurnKind = Literal["summary", "convergence", "polled", "mentioned", "final"]


@dataclass(frozen=True, slots=True)
class Traveller:
    """A member of the group: `name` is the chat name (User1 …), `role` free text such as 女友."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Message:
    """A chat message as everybody sees it; markers are already stripped. `role` is a user's name or `Agent`."""

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

    kind: `summary` (agent: answer with the JSON object {user: preference table}, hidden from everyone),
      `convergence` (agent: sum up, mediate, ask, or plan), `polled` (it is your turn in the lap), `mentioned`
      (the agent's last message addresses you), `final` (agent: the round limit is reached, give the plan).
    attempt: 1, or higher when the former answer to this same turn was refused.
    tools_allowed: False when the agent has to say something now (20 model steps spent, or calls repeated).
    step: model steps the agent has already taken in this turn, 0 at its start.
    solicited: the last visible message is the agent's and mentions you; only then is a compromise marker valid.
    problem: why this same turn is asked again (`unsolicited`, `unresolvable`, `over_quota`, `not_allowed`,
      `unknown_field`, `no_plan`, `passed`), else "".
    refused: this participant's own words to that same turn that were refused, oldest first.
    drafts: what it withdrew itself since it was last asked (`Redo`), oldest first.
    seq: number of the grant, the same until another turn is granted or this one is asked again.
    """

    kind: TurnKind
    attempt: int = 1
    tools_allowed: bool = True
    step: int = 0
    solicited: bool = False
    problem: str = ""
    refused: tuple[str, ...] = ()
    drafts: tuple[Draft, ...] = ()
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """A traveller's own secret: the original table, the effective one (after compromises), and the flag.

    Both tables have the published shape: {"global_constraints": …, "city_specific_preferences": …}.
    """

    role: str
    preference: dict[str, Any]
    effective: dict[str, Any]
    compromisable: bool
    compromises_left: int


@dataclass(frozen=True, slots=True)
class View:
    """Everything that participant `me` may know at this moment.

    query, time (departure date, YYYY-MM-DD), context: the task's own texts.
    travellers: the users with a table, in polling order; companions: young children without one.
    contract: what a traveller over a model is held to; protocol: the session's rules (`SessionOpened`).
    toolset: the name of the tools that the session's agent may call.
    round: laps and convergences finished so far; the session ends at `max_turn`.
    messages: the whole visible chat, oldest first, opening messages included.
    card: a user's own card, None for the agent.
    tool_log, notes, table: the agent's tool entries and notes of the whole session, and its own last preference
      summary ({user: table}); empty for users.
    """

    me: str
    language: str
    seed: int
    query: str
    time: str
    context: str
    travellers: tuple[Traveller, ...]
    companions: tuple[Traveller, ...]
    max_turn: int
    convergence_interval: int
    round: int
    messages: tuple[Message, ...]
    turn: Turn
    card: Card | None = None
    tool_log: tuple[ToolEntry, ...] = ()
    notes: tuple[Note, ...] = ()
    table: dict[str, Any] | None = None
    contract: str = "markers"
    protocol: str = "published"
    toolset: str = DEFAULT_TOOLSET
