"""The typed events of a session's log that every benchmark shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints

from benchmark.core.attendance import Attendance, Presence
from benchmark.core.view import AGENT
from benchmark.models import ModelSetup, Usage
from sandbox.toolbox import SandboxSetup

# What every event body has in common.


ALL = "all"
AGENT_ONLY = "agent"
RESEARCH = "research"


def only(user: str) -> str:
    """The audience of one traveller (and, as always, the researcher)."""
    return f"user:{user}"


class EventBody(BaseModel):
    """The payload of one kind of event.

    `type` names the kind in the log. `version` is the payload's version (`v` in the log). A newer class reads older
    payloads through `upcast`. words: the fields that hold what somebody said, to the letter.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: ClassVar[int] = 1
    words: ClassVar[tuple[str, ...]] = ()
    type: str

    def audience(self) -> str:
        """Who may see it: `all`, `agent`, `user:NAME` or `research`. It follows from the body alone."""
        return ALL

    @classmethod
    def upcast(cls, payload: dict[str, Any], v: int) -> dict[str, Any]:
        """The payload of an older version `v` in today's shape."""
        return payload

    @classmethod
    def load(cls, payload: dict[str, Any], v: int) -> Self:
        """Read a stored payload of any released version.

        Raises:
            pydantic.ValidationError: the payload is no such event.
        """
        return cls.model_validate(cls.upcast(payload, v) if v < cls.version else payload)


# Events of a turn: who gets it, and what was said, withdrawn, thought or noted in it.


class TurnGranted(EventBody):
    """Who acts now, and why.

    kind: as the benchmark names its turns. attempt: above 1 when the former answer was refused; problem: why, as the
    benchmark names it, else "". round: rounds finished so far.
    """

    type: Literal["turn_granted"] = "turn_granted"
    speaker: str
    kind: str
    attempt: int = 1
    problem: str = ""
    round: int = 0

    @property
    def again(self) -> bool:
        """The same turn once more."""
        return self.attempt > 1

    @property
    def hidden(self) -> bool:
        """Whether only the agent may see the answer; then nobody else sees the turn."""
        return False

    def audience(self) -> str:
        """Only the speaker sees that it is asked again, since this would show what was refused."""
        if self.hidden or (self.again and self.speaker == AGENT):
            return AGENT_ONLY
        return only(self.speaker) if self.again else ALL


class MessagePosted(EventBody):
    """A visible message, without markers and without passes at its end.

    opening: it was there from the start. has_plan: a plan was found in it; `plan_proposed` follows.
    """

    type: Literal["message_posted"] = "message_posted"
    words: ClassVar[tuple[str, ...]] = ("content",)
    role: str
    content: str
    opening: bool = False
    has_plan: bool = False


class MessageWithheld(EventBody):
    """why: the benchmark's name for the reason."""

    type: Literal["message_withheld"] = "message_withheld"
    words: ClassVar[tuple[str, ...]] = ("content",)
    content: str
    why: str

    def audience(self) -> str:
        return AGENT_ONLY


class AgentNoted(EventBody):
    """The text that a model wrote with its tool calls. It is in the record, but not in the chat."""

    type: Literal["agent_noted"] = "agent_noted"
    words: ClassVar[tuple[str, ...]] = ("content",)
    content: str

    def audience(self) -> str:
        return AGENT_ONLY


class ThoughtKept(EventBody):
    """The thoughts before the words or calls that follow. They are neither in the chat nor in the record."""

    type: Literal["thought_kept"] = "thought_kept"
    words: ClassVar[tuple[str, ...]] = ("content",)
    speaker: str
    content: str

    def audience(self) -> str:
        return AGENT_ONLY if self.speaker == AGENT else RESEARCH


class DraftWithdrawn(EventBody):
    """The speaker is asked again and sees the draft. why: the reason's short name; note: text kept with it."""

    type: Literal["draft_withdrawn"] = "draft_withdrawn"
    words: ClassVar[tuple[str, ...]] = ("content", "note")
    speaker: str
    content: str
    why: str
    note: str = ""

    def audience(self) -> str:
        return AGENT_ONLY if self.speaker == AGENT else only(self.speaker)


class Passed(EventBody):
    """A user had nothing to say."""

    type: Literal["passed"] = "passed"
    user: str

    def audience(self) -> str:
        return only(self.user)


# Events of calls: of tools by the agent, and of models by whoever speaks through one.


class ToolCalled(EventBody):
    """step: the model step of this turn that made the call, counted from 1; all calls of a step run together.

    arguments: the object, or the raw text where the model wrote none.
    """

    type: Literal["tool_called"] = "tool_called"
    call_id: str
    name: str
    arguments: dict[str, Any] | str
    step: int

    def audience(self) -> str:
        return AGENT_ONLY


class ToolReturned(EventBody):
    """result: the tool's text. source: who gave it: world, cache, simulated, live, or none where nobody did.

    mode: the sandbox's mode: world, isolated, online. error_kind: why the result is an error, empty where it is
    none. examples: cache keys of the calls that a simulated answer was made from, after the name of the tool where
    another tool's answer told of the place (`search_poi [["city",…`). latency_ms: until the answer.
    """

    type: Literal["tool_returned"] = "tool_returned"
    version: ClassVar[int] = 2
    call_id: str
    result: str
    source: str = "world"
    mode: str = "world"
    error_kind: str = ""
    examples: tuple[str, ...] = ()
    latency_ms: float = 0.0

    @property
    def error(self) -> bool:
        """Whether the agent got an error."""
        return bool(self.error_kind)

    @classmethod
    def upcast(cls, payload: dict[str, Any], v: int) -> dict[str, Any]:
        """Version 1 knew only worlds, and each of its errors was an error of the call."""
        kept = {name: value for name, value in payload.items() if name != "error"}
        wrong = {"source": "none", "error_kind": "arguments"} if payload.get("error") else {}
        return kept | wrong

    def audience(self) -> str:
        return AGENT_ONLY


class ModelCalled(EventBody):
    """One request to a model, answered or not.

    seat: who asked it. endpoint: its name in Caravan; model: as the server names itself. attempt: 1 for the first
    request for this answer. outcome: `answered`, or the kind of failure with its detail and HTTP status. tokens:
    None where nobody knows: the server gave no usage, or the answer broke off (`answering`). cost: in `currency`,
    None where tokens or prices are not known. latency_ms: to the answer's end; first_ms: to its first piece.
    retry_in_s: the pause before the next attempt, None where there is none. request: digest of what was asked. note:
    how the answer was read where that is not plain.
    """

    type: Literal["model_called"] = "model_called"
    seat: str
    endpoint: str
    model: str = ""
    attempt: int = 1
    outcome: str = "answered"
    status: int | None = None
    detail: str = ""
    answering: bool = False
    finish_reason: str = ""
    tokens: Usage | None = None
    cost: float | None = None
    currency: str = ""
    latency_ms: float = 0.0
    first_ms: float | None = None
    retry_in_s: float | None = None
    request: str = ""
    note: str = ""

    @property
    def answered(self) -> bool:
        """Whether there was an answer."""
        return self.outcome == "answered"

    @property
    def unknown(self) -> bool:
        """Whether the server may have counted tokens whose number is not known."""
        return self.tokens is None and (self.answered or self.answering)

    def audience(self) -> str:
        return RESEARCH


# Events of the session itself: how it begins, who takes part, what went wrong, how it ends.


Protocol = Literal["published", "paper"]
"""Which rules a session follows: those of the published program, or those of the paper where the two differ."""

Contract = Literal["markers", "strict"]
"""What is checked of a traveller over a model: its compromise markers only, or every rule that code can check."""


def contract_of(protocol: Protocol) -> Contract:
    """The contract of a session that chooses none: the published runner asks again for markers alone."""
    return "markers" if protocol == "published" else "strict"


class SessionOpened(EventBody):
    """Task, world, seed and rules of the session, which every participant may know.

    suite: the benchmark; its own subclass says the rest. sandbox: who answers tool calls. contract: of
    travellers over models; logs from before it could be chosen name none, and their travellers were held to
    every rule.
    """

    type: Literal["session_opened"] = "session_opened"
    version: ClassVar[int] = 2
    suite: str
    task_id: str
    language: Literal["zh", "en"] = "zh"
    protocol: Protocol = "published"
    contract: Contract = "strict"
    seed: int = 0
    world: str = ""
    pack_hash: str = ""
    sandbox: SandboxSetup = SandboxSetup()

    @property
    def users(self) -> tuple[str, ...]:
        """The names of those who talk with the agent, in the order in which they are asked."""
        return ()


Opened = TypeVar("Opened", bound=SessionOpened)


class ParticipantJoined(EventBody):
    """seat: `Agent`, a traveller's name, or `Simulator`, the model that answers tool calls which no cache holds.
    kind: as the registry names it; of an agent over a model, its scaffold; `tools` for the simulator.

    prompts: the version of the prompts, empty where there are none. model: which one and how it is asked.
    """

    type: Literal["participant_joined"] = "participant_joined"
    seat: str
    kind: str
    prompts: str = ""
    model: ModelSetup | None = None

    def audience(self) -> str:
        return RESEARCH


class SessionForked(EventBody):
    """The log up to here is another session's; from here on it is this one's own. Seats that are taken by somebody
    else join again after it.

    origin: the other session. seq: its last event that this log has. chosen: the event that was asked for, which is
    after `seq` where the step in it was not complete. seed: of what follows, None for the one of before.
    """

    type: Literal["session_forked"] = "session_forked"
    origin: str
    seq: int
    chosen: int
    seed: int | None = None

    def reseeded(self, opened: Opened) -> Opened:
        """The opening as it holds from here on."""
        return opened if self.seed is None else opened.model_copy(update={"seed": self.seed})


# Events of seats that are taken from outside: who is there, and how long they are waited for.


class AttendanceSet(EventBody):
    """How a seat is waited for from here on."""

    type: Literal["attendance_set"] = "attendance_set"
    seat: str
    attendance: Attendance

    def audience(self) -> str:
        return RESEARCH


class PresenceChanged(EventBody):
    """presence: of whoever has the seat. program: how a program calls itself, with its version; "" for a person."""

    type: Literal["presence_changed"] = "presence_changed"
    seat: str
    presence: Presence
    program: str = ""

    def audience(self) -> str:
        return RESEARCH


class TurnReminded(EventBody):
    """Whoever has the seat is reminded that it is their turn. nudged: by the researcher, else by the time."""

    type: Literal["turn_reminded"] = "turn_reminded"
    seat: str
    nudged: bool = False

    def audience(self) -> str:
        return only(self.seat)


class TurnExtended(EventBody):
    """The turn in progress gets more time, in seconds."""

    type: Literal["turn_extended"] = "turn_extended"
    seat: str
    by_s: float

    def audience(self) -> str:
        return only(self.seat)


class TurnMissed(EventBody):
    """Nothing came in time; a pass follows, or whoever takes over."""

    type: Literal["turn_missed"] = "turn_missed"
    seat: str
    waited_s: float

    def audience(self) -> str:
        return only(self.seat)


class ClockSet(EventBody):
    """The time of the turn in progress stands, since the page waits for an answer to a warning; it goes on; or it
    starts anew, since the seat's occupant has got something done.
    """

    type: Literal["clock_set"] = "clock_set"
    seat: str
    how: Literal["stands", "goes", "anew"]

    def audience(self) -> str:
        return RESEARCH


class WarningPassedOver(EventBody):
    """A message was sent although the page had warned of something in it. why: the benchmark's name for it."""

    type: Literal["warning_passed_over"] = "warning_passed_over"
    seat: str
    why: str
    items: tuple[str, ...] = ()

    def audience(self) -> str:
        return RESEARCH


REMOVED: Mapping[str, str] = {"zh": "[已删除]", "en": "[removed]"}
"""What stands in the place of words that were removed, by the language of the task."""


class PersonalDataRemoved(EventBody):
    """What somebody said in a seat was replaced in the log (`REMOVED`), at their wish. It may follow the session's
    end.
    """

    type: Literal["personal_data_removed"] = "personal_data_removed"
    seat: str

    def audience(self) -> str:
        return RESEARCH


class ErrorRaised(EventBody):
    """where: what was being done; detail: text for the researcher, which no participant sees."""

    type: Literal["error_raised"] = "error_raised"
    where: str
    kind: str
    detail: str = ""

    def audience(self) -> str:
        return RESEARCH


Crash = Literal["context_overflow", "connection_error", "rate_limit", "runtime_error"]
CRASHES: tuple[Crash, ...] = get_args(Crash)


class SessionFinished(EventBody):
    """reason: a crash, `stopped` when a researcher ended it, `deserted` when somebody left whose seat nobody takes,
    or a name that the benchmark's rules have for their end.

    Nothing follows this event, but for `personal_data_removed`.
    """

    type: Literal["session_finished"] = "session_finished"
    reason: Annotated[str, StringConstraints(pattern="^[a-z_]{1,40}$")]
    plan_generated: bool = False


# The kinds of events that a benchmark's log may hold.


SHARED: tuple[type[EventBody], ...] = (
    SessionOpened,
    ParticipantJoined,
    TurnGranted,
    MessagePosted,
    MessageWithheld,
    AgentNoted,
    ThoughtKept,
    DraftWithdrawn,
    Passed,
    ToolCalled,
    ToolReturned,
    ModelCalled,
    SessionForked,
    AttendanceSet,
    PresenceChanged,
    TurnReminded,
    TurnExtended,
    TurnMissed,
    ClockSet,
    WarningPassedOver,
    PersonalDataRemoved,
    ErrorRaised,
    SessionFinished,
)
"""The kinds that every benchmark's logs may hold."""


class Kinds(Mapping[str, type[EventBody]]):
    """The classes of bodies by the name of their type: the shared ones, and a benchmark's own.

    An own kind may take the name of a shared one; it is a subclass then, which says more.
    """

    def __init__(self, *own: type[EventBody]) -> None:
        self._by_type = {_type_of(kind): kind for kind in (*SHARED, *own)}

    def __getitem__(self, type_: str) -> type[EventBody]:
        return self._by_type[type_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_type)

    def __len__(self) -> int:
        return len(self._by_type)

    def load(self, type_: str, v: int, payload: dict[str, Any]) -> EventBody:
        """The body of a stored event of any released version.

        Raises:
            KeyError: a type of event that this benchmark does not have.
            pydantic.ValidationError: the payload is not of its type.
        """
        return self._by_type[type_].load(payload, v)


def _type_of(kind: type[EventBody]) -> str:
    name: str = kind.model_fields["type"].default
    return name


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
