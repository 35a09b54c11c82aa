"""The state of a session, with the fields that every benchmark has: a fold over the whole log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from benchmark.core.attendance import Attendance, Presence
from benchmark.core.events import (
    AgentNoted,
    AttendanceSet,
    ClockSet,
    DraftWithdrawn,
    ErrorRaised,
    Event,
    EventBody,
    MessagePosted,
    MessageWithheld,
    ModelCalled,
    ParticipantJoined,
    PersonalDataRemoved,
    PresenceChanged,
    PromptSetChosen,
    SessionFinished,
    SessionForked,
    SessionOpened,
    ThoughtKept,
    ToolCalled,
    ToolReturned,
    TurnExtended,
    TurnGranted,
    TurnMissed,
    TurnPassed,
    TurnReminded,
    WarningPassedOver,
)
from benchmark.core.folding import by_body
from benchmark.core.participant import OUTSIDE_KINDS
from benchmark.core.toolloop import ToolLoop
from benchmark.core.view import AGENT, Message
from benchmark.models.patience import Failing


@dataclass
class SessionState:
    """What the step loop and the lists of sessions need to know of a session. Only `apply` changes it.

    A benchmark's subclass adds what its rules need, and folds it in its own `_fold`: `_fold_shared.extended()`, whose
    functions may call `_fold_shared` for what is done here.

    """

    # The number of the last event.
    seq: int = 0
    opening: SessionOpened | None = None
    # The visible chat.
    messages: list[Message] = field(default_factory=list)
    # Rounds so far, as the benchmark counts them.
    round: int = 0
    # The present turn, and why its last answer was refused; "" while the turn waits for an answer.
    turn: TurnGranted | None = None
    ask_again: str = ""
    # The tool calls of the present turn.
    loop: ToolLoop = field(default_factory=ToolLoop)
    # The participant of each seat.
    seats: dict[str, ParticipantJoined] = field(default_factory=dict)
    # The researcher's set of prompts by whose words they speak; None for the shipped ones.
    prompt_set: PromptSetChosen | None = None
    # Drafts that were withdrawn in the present turn.
    drafts: int = 0
    # Requests to models so far, and those that have failed since the last answer.
    model_calls: int = 0
    failing: Failing = field(default_factory=Failing)
    # By seat that a person or a program takes: how long it is waited for.
    attendance: dict[str, Attendance] = field(default_factory=dict)
    # By seat to which somebody has come: whether they are present, and how many turns they missed in a row.
    presence: dict[str, Presence] = field(default_factory=dict)
    misses: dict[str, int] = field(default_factory=dict)
    # The present turn: seconds that it was extended by, and whether its reminder was sent.
    extended_s: float = 0.0
    reminded: bool = False
    # Whether a turn was ever granted.
    begun: bool = False
    final_event: SessionFinished | None = None

    @property
    def other_words(self) -> Mapping[str, str]:
        """What its participants are told otherwise than as shipped, as files of a set of prompts."""
        return self.prompt_set.files if self.prompt_set else {}

    @property
    def users(self) -> list[str]:
        """Those who talk with the agent, in the order in which they are asked."""
        return list(self.opening.users) if self.opening else []

    @property
    def untaken(self) -> list[str]:
        """The seats for people and programs to which nobody has come yet."""
        return [seat for seat in self.attendance if self.from_outside(seat) and seat not in self.presence]

    def from_outside(self, seat: str) -> bool:
        """Whether a person or a program has this seat, and is waited for."""
        joined = self.seats.get(seat)
        return seat in self.attendance and joined is not None and joined.kind in OUTSIDE_KINDS

    @property
    def planned(self) -> bool:
        """Whether the agent has given a plan, for which the session was held."""
        return False

    @property
    def may_call(self) -> bool:
        """Whether the participant whose turn it is may call tools now."""
        return self.turn is not None and self.turn.speaker == AGENT and self.loop.open

    def apply(self, event: Event) -> None:
        """Fold one event in; events come in the order of their numbers."""
        self._fold(event.body, event.seq)
        self.seq = event.seq

    @by_body
    def _fold_shared(self, body: EventBody, seq: int) -> None:
        raise TypeError(f"no fold for {type(body).__name__}")

    @_fold_shared.register
    def _(self, body: SessionOpened, seq: int) -> None:
        self.opening = body

    @_fold_shared.register
    def _(self, body: PromptSetChosen, seq: int) -> None:
        self.prompt_set = body

    @_fold_shared.register
    def _(self, body: ParticipantJoined, seq: int) -> None:
        self.seats[body.seat] = body
        for known in (self.attendance, self.presence, self.misses):  # those of who sat there before
            known.pop(body.seat, None)

    @_fold_shared.register
    def _(self, body: TurnGranted, seq: int) -> None:
        self.turn = body
        self.ask_again = ""
        self.drafts = 0
        self.begun, self.reminded, self.extended_s = True, False, 0.0
        self.loop.begin()

    @_fold_shared.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self.messages.append(Message(seq, body.role, body.content))
        self.misses.pop(body.role, None)
        self.turn = None

    @_fold_shared.register
    def _(self, body: TurnPassed, seq: int) -> None:
        self.turn = None

    @_fold_shared.register
    def _(self, body: MessageWithheld, seq: int) -> None:
        """The benchmark decides what follows from it."""

    @_fold_shared.register
    def _(self, body: AgentNoted, seq: int) -> None:
        """A note is only in the record."""

    @_fold_shared.register
    def _(self, body: ThoughtKept, seq: int) -> None:
        """Thoughts change nothing."""

    @_fold_shared.register
    def _(self, body: DraftWithdrawn, seq: int) -> None:
        self.drafts += 1

    @_fold_shared.register
    def _(self, body: ToolCalled, seq: int) -> None:
        self.loop.call(body)

    @_fold_shared.register
    def _(self, body: ToolReturned, seq: int) -> None:
        self.loop.waiting.pop(body.call_id, None)
        self.reminded = False
        self.failing = Failing()  # what its simulator failed at is settled by the answer, whatever that is

    @_fold_shared.register
    def _(self, body: ModelCalled, seq: int) -> None:
        self.model_calls += 1
        self.failing.take(body.outcome, body.latency_ms, body.retry_in_s)

    @_fold_shared.register
    def _(self, body: SessionForked, seq: int) -> None:
        self.opening = self.opening and body.with_seed(self.opening)
        self.failing = Failing()  # who asks now has not failed yet
        self.presence.clear()  # nobody has come to this session yet

    @_fold_shared.register
    def _(self, body: AttendanceSet, seq: int) -> None:
        self.attendance[body.seat] = body.attendance

    @_fold_shared.register
    def _(self, body: PresenceChanged, seq: int) -> None:
        self.presence[body.seat] = body.presence
        if body.presence in ("joined", "back"):
            self.misses.pop(body.seat, None)

    @_fold_shared.register
    def _(self, body: TurnReminded, seq: int) -> None:
        self.reminded = self.reminded or not body.nudged

    @_fold_shared.register
    def _(self, body: TurnExtended, seq: int) -> None:
        self.extended_s += body.by_s

    @_fold_shared.register
    def _(self, body: TurnMissed, seq: int) -> None:
        self.misses[body.seat] = self.misses.get(body.seat, 0) + 1

    @_fold_shared.register
    def _(self, body: ClockSet, seq: int) -> None:
        self.reminded = self.reminded and body.how != "anew"

    @_fold_shared.register
    def _(self, body: WarningPassedOver, seq: int) -> None:
        """It is told to researchers, and changes nothing."""

    @_fold_shared.register
    def _(self, body: PersonalDataRemoved, seq: int) -> None:
        """The messages of the log are as they are now."""

    @_fold_shared.register
    def _(self, body: ErrorRaised, seq: int) -> None:
        """An error is not part of the conversation; what follows from it is another event."""

    @_fold_shared.register
    def _(self, body: SessionFinished, seq: int) -> None:
        self.final_event = body
        self.turn = None

    _fold = _fold_shared


S = TypeVar("S", bound=SessionState)


def fold_events(state: S, events: Iterable[Event]) -> S:
    """`state` with these events applied."""
    for event in events:
        state.apply(event)
    return state
