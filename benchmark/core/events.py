"""The typed events of a session's log that every benchmark shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from benchmark.core.attendance import Attendance, Presence
from benchmark.core.options import NO_OPTIONS, Options, Value
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
    def is_repeat(self) -> bool:
        """The same turn once more."""
        return self.attempt > 1

    @property
    def hidden(self) -> bool:
        """Whether only the agent may see the answer; then nobody else sees the turn."""
        return False

    def audience(self) -> str:
        """Only the speaker sees that it is asked again, since this would show what was refused."""
        if self.hidden or (self.is_repeat and self.speaker == AGENT):
            return AGENT_ONLY
        return only(self.speaker) if self.is_repeat else ALL


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


class PlanProposed(EventBody):
    """The agent's message holds a plan, as found in the message just before.

    Only benchmarks that ask for plans have this kind of event, and list it among their own.
    """

    type: Literal["plan_proposed"] = "plan_proposed"
    plan: dict[str, Any]


class MessageWithheld(EventBody):
    """Words of the agent that do not reach the chat. why: the benchmark's name for the reason."""

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


class TurnPassed(EventBody):
    """A user had nothing to say."""

    type: Literal["passed"] = "passed"
    user: str

    def audience(self) -> str:
        return only(self.user)


# Events of calls: of tools by the agent, and of models by whoever speaks through one.


class ToolCalled(EventBody):
    """The agent calls a tool.

    arguments: the parsed object, or the raw text if the model wrote no JSON object. step: the model step of this turn
    that made the call, counted from 1; a model may make several calls in one step.
    """

    type: Literal["tool_called"] = "tool_called"
    call_id: str
    name: str
    arguments: dict[str, Any] | str
    step: int

    def audience(self) -> str:
        return AGENT_ONLY


class ToolReturned(EventBody):
    """The answer to one tool call."""

    type: Literal["tool_returned"] = "tool_returned"
    version: ClassVar[int] = 2
    call_id: str
    # The text that the agent gets.
    result: str
    # Who answered: `world`, `cache`, `simulated`, `live`, or `none` if nobody did.
    source: str = "world"
    # The mode of the sandbox: `world`, `isolated` or `online`.
    mode: str = "world"
    # Why the result is an error; "" if it is none.
    error_kind: str = ""
    # The cache keys of the calls that a simulated answer was made from. A key of another tool, whose answer knew the
    # place, begins with the name of that tool: `search_poi [["city",…`.
    examples: tuple[str, ...] = ()
    # Milliseconds from the call to the answer.
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
    """One request to a model, answered or not."""

    type: Literal["model_called"] = "model_called"
    # The seat for which the model was asked.
    seat: str
    # The model's name in Caravan, and the name that the server gives itself.
    endpoint: str
    model: str = ""
    # 1 for the first request for this answer, above 1 for its repetitions.
    attempt: int = 1
    # `answered`, or the kind of failure; then with its HTTP status and detail.
    outcome: str = "answered"
    status: int | None = None
    detail: str = ""
    # Whether the server had begun to answer when the request failed.
    answering: bool = False
    finish_reason: str = ""
    # None if unknown: the server gave no usage, or the answer broke off.
    tokens: Usage | None = None
    # In `currency`; None if the tokens or the prices are unknown.
    cost: float | None = None
    currency: str = ""
    # Milliseconds until the end of the answer, and until its first piece.
    latency_ms: float = 0.0
    first_ms: float | None = None
    # The pause before the next attempt; None if there is no further attempt.
    retry_in_s: float | None = None
    # A digest of the request, by which its recording is found.
    request: str = ""
    # What was odd about the answer and how it was read; else "".
    note: str = ""
    # How many tokens of the answer were kept with their log-probabilities; written only where there are any.
    logprobs: int = Field(default=0, exclude_if=lambda count: not count)

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


OLD_OPTIONS: Mapping[str, Value] = {"protocol": "published", "contract": "strict"}
"""What each benchmark had to choose until version 2 of `SessionOpened`, and what a log held that named none."""


class SessionOpened(EventBody):
    """Task, world, seed and rules of the session, which every participant may know.

    suite: the benchmark; its own subclass says the rest. options: what was chosen of those that the benchmark
    declares. sandbox: who answers tool calls. old_options: those of `OLD_OPTIONS` that mean something in it.
    """

    type: Literal["session_opened"] = "session_opened"
    version: ClassVar[int] = 3
    old_options: ClassVar[tuple[str, ...]] = ()
    suite: str
    task_id: str
    language: Literal["zh", "en"] = "zh"
    options: dict[str, Value] = {}
    seed: int = 0
    world: str = ""
    pack_hash: str = ""
    sandbox: SandboxSetup = SandboxSetup()

    @property
    def users(self) -> tuple[str, ...]:
        """The names of those who talk with the agent, in the order in which they are asked."""
        return ()

    @classmethod
    def upcast(cls, payload: dict[str, Any], v: int) -> dict[str, Any]:
        """Until version 2 options were fields, the same in each benchmark."""
        kept = {name: value for name, value in payload.items() if name not in OLD_OPTIONS}
        return kept | {"options": {key: payload.get(key, OLD_OPTIONS[key]) for key in cls.old_options}}


Opening = TypeVar("Opening", bound=SessionOpened)


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


class AnswerSource(BaseModel):
    """Where the next answer of a seat's model comes from, where it was not asked in this session.

    experiment, number: the experiment and which of its answers. call: the origin's event whose answer it takes the
    place of. request: the digest of the edited request that was answered (`benchmark.models.digest`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    seat: str
    experiment: str
    number: int
    call: int
    request: str


class PromptSetChosen(EventBody):
    """Whoever joins from here on is told the words of a researcher's set of prompts.

    name, set_version: of the set. digest: SHA-256 of all its files (`benchmark.promptsets.digest_of`). files: those
    that whoever sits in a session is told otherwise than as shipped, by their paths, so that the log is enough to go
    on with the same words.
    """

    type: Literal["prompt_set_chosen"] = "prompt_set_chosen"
    name: str
    set_version: int
    digest: str
    files: dict[str, str]

    def audience(self) -> str:
        return RESEARCH


def words_in(log: Iterable[Event]) -> Mapping[str, str]:
    """What the participants of a log are told otherwise than as shipped, as files of a set of prompts."""
    chosen = [event.body.files for event in log if isinstance(event.body, PromptSetChosen)]
    return chosen[-1] if chosen else {}


class SessionForked(EventBody):
    """The events before this one belong to another session; those after it are this session's own.

    Seats that get another participant join again after it. origin: the other session. seq: its last event that this
    log has. chosen: the event that the researcher chose; it is after `seq` if it lies within a step, since a fork
    begins after a complete step. seed: the seed from here on, None for that of the origin. answer: of a fork from an
    answer of an experiment; written only there, so that older versions read what they know.
    """

    type: Literal["session_forked"] = "session_forked"
    origin: str
    seq: int
    chosen: int
    seed: int | None = None
    answer: AnswerSource | None = Field(default=None, exclude_if=lambda source: source is None)

    def with_seed(self, opened: Opening) -> Opening:
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


@dataclass(frozen=True, slots=True)
class SessionStart:
    """What a session begins with beside its task.

    options: what is chosen, by key; those that are absent have their defaults. sandbox: None for the world alone.
    seats: by which words they speak, who takes them, and who of them is waited for.
    """

    seed: int = 0
    options: Options = field(default_factory=lambda: NO_OPTIONS)
    world: str = ""
    pack_hash: str = ""
    sandbox: SandboxSetup | None = None
    seats: Sequence[PromptSetChosen | ParticipantJoined | AttendanceSet] = ()

    def fields(self, **own: Any) -> dict[str, Any]:
        """Those of `SessionOpened` that every benchmark logs alike. own: others, and what takes their place."""
        shared = {
            "options": dict(self.options),
            "seed": self.seed,
            "world": self.world,
            "pack_hash": self.pack_hash,
        }
        return {**shared, "sandbox": self.sandbox or SandboxSetup(), **own}


USUAL_START: Final = SessionStart()


class PresenceChanged(EventBody):
    """The occupant of a seat came, went away, or came back.

    program: the name that a program gives itself, with its version; "" for a person.
    """

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
    """The seat's occupant did not answer in time; a pass or a substitute follows."""

    type: Literal["turn_missed"] = "turn_missed"
    seat: str
    waited_s: float

    def audience(self) -> str:
        return only(self.seat)


class ClockSet(EventBody):
    """The clock of the present turn is stopped, runs on, or starts anew.

    how: `stands` while the page waits for an answer to a warning; `goes` after that; `anew` when the seat's occupant
    has got something done.
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


REMOVAL_TEXT: Mapping[str, str] = {"zh": "[已删除]", "en": "[removed]"}
"""What stands in the place of words that were removed, by the language of the task."""


class PersonalDataRemoved(EventBody):
    """What somebody said in a seat was replaced in the log (`REMOVAL_TEXT`), at their wish. It may follow the end of
    the session.
    """

    type: Literal["personal_data_removed"] = "personal_data_removed"
    seat: str

    def audience(self) -> str:
        return RESEARCH


class ErrorRaised(EventBody):
    """Something failed. where: what was being done; detail: text for the researcher, which no participant sees."""

    type: Literal["error_raised"] = "error_raised"
    where: str
    kind: str
    detail: str = ""

    def audience(self) -> str:
        return RESEARCH


Crash = Literal["context_overflow", "connection_error", "rate_limit", "runtime_error"]
CRASHES: tuple[Crash, ...] = get_args(Crash)


class SessionFinished(EventBody):
    """The session has ended; only `personal_data_removed` may follow.

    reason: a crash, `stopped` if a researcher ended it, `deserted` if somebody left and nobody takes the seat, or a
    name that the benchmark's rules give to the end.
    """

    type: Literal["session_finished"] = "session_finished"
    reason: Annotated[str, StringConstraints(pattern="^[a-z_]{1,40}$")]
    plan_generated: bool = False


# The kinds of events that a benchmark's log may hold.


SHARED_BODIES: tuple[type[EventBody], ...] = (
    SessionOpened,
    PromptSetChosen,
    ParticipantJoined,
    TurnGranted,
    MessagePosted,
    MessageWithheld,
    AgentNoted,
    ThoughtKept,
    DraftWithdrawn,
    TurnPassed,
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
        self._by_type = {_type_of(kind): kind for kind in (*SHARED_BODIES, *own)}

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
