"""The state of a session: a fold over its whole log."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmark.core.events import (
    AgentNoted,
    DraftWithdrawn,
    ErrorRaised,
    Event,
    EventBody,
    MessagePosted,
    MessageWithheld,
    ModelCalled,
    ParticipantJoined,
    Passed,
    SessionFinished,
    SessionOpened,
    ThoughtKept,
    ToolCalled,
    ToolReturned,
    TurnGranted,
)
from benchmark.core.folding import by_body
from benchmark.core.toolloop import ToolLoop
from benchmark.core.view import AGENT, Message
from benchmark.models.patience import Failing
from benchmark.suites.grouptravel.conversation.markers import with_value
from benchmark.suites.grouptravel.conversation.mentions import rightmost_mention
from benchmark.suites.grouptravel.events import (
    CardDealt,
    CompromiseApplied,
    MarkerAttempted,
    PlanMended,
    PlanProposed,
    TableInferred,
)

ATTEMPTS = 3
QUOTA = 2


@dataclass
class SessionState:
    """Everything the scheduler, the guards and the record need. Only `apply` changes it.

    cards, effective: {user: {role, preference, compromisable}}; applied: compromises that counted, per user.
    last_spoke: index in `messages` of a speaker's own last one.
    round, slot, round_events: where the polling lap stands. events, steps: as the published record counts them.
    turn: the turn in progress; ask_again: why its answer was refused (or `passed`), "" while one is awaited.
    silences: passes of the mentioned user when asked to mend a marker; they count nowhere else.
    due: the place of a convergence that must come next. summarised: the summary after the plan is written.
    ending: the completion reason, known before the session is closed.
    seats: who sits where. drafts: withdrawn in the turn in progress. model_calls: requests to models so far;
    failing: those that have failed since the last answer.
    """

    seq: int = 0
    opened: SessionOpened | None = None
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    effective: dict[str, dict[str, Any]] = field(default_factory=dict)
    applied: Counter[str] = field(default_factory=Counter)
    compromise_log: list[dict[str, Any]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    last_spoke: dict[str, int] = field(default_factory=dict)
    round: int = 0
    slot: int = 0
    round_events: int = 0
    events: int = 0
    steps: int = 0
    turn: TurnGranted | None = None
    ask_again: str = ""
    due: str = ""
    started: bool = False
    mention_spent: bool = False
    silences: int = 0
    loop: ToolLoop = field(default_factory=ToolLoop)
    consecutive_turns: int = 0
    table: dict[str, Any] = field(default_factory=dict)
    plan: dict[str, Any] | None = None
    summarised: bool = False
    ending: str = ""
    seats: dict[str, ParticipantJoined] = field(default_factory=dict)
    drafts: int = 0
    model_calls: int = 0
    failing: Failing = field(default_factory=Failing)
    finished: SessionFinished | None = None

    @property
    def users(self) -> list[str]:
        """The users with a table, in polling order."""
        return [member.name for member in self.opened.travellers] if self.opened else []

    @property
    def cap(self) -> int:
        """Events at which a round is closed."""
        return 5 * (len(self.users) + 1)

    @property
    def addressed(self) -> str | None:
        """Whom the last visible message mentions, when it is the agent's."""
        if not self.messages or self.messages[-1].role != AGENT:
            return None
        return rightmost_mention(self.messages[-1].content, self.users)

    @property
    def mentioned(self) -> str | None:
        """Who is to speak at once: the addressed, until the mention is spent."""
        return None if self.mention_spent else self.addressed

    def has_news(self, user: str) -> bool:
        """Whether something visible was said since this user's own last message; a pass is not seeing."""
        return len(self.messages) > self.last_spoke.get(user, -1) + 1

    def apply(self, event: Event) -> None:
        """Fold one event in; events come in the order of their numbers."""
        self._fold(event.body, event.seq)
        self.seq = event.seq

    @by_body
    def _fold(self, body: EventBody, seq: int) -> None:
        raise TypeError(f"no fold for {type(body).__name__}")

    @_fold.register
    def _(self, body: SessionOpened, seq: int) -> None:
        self.opened = body

    @_fold.register
    def _(self, body: ParticipantJoined, seq: int) -> None:
        self.seats[body.seat] = body

    @_fold.register
    def _(self, body: CardDealt, seq: int) -> None:
        self.cards[body.user] = body.card
        self.effective[body.user] = copy.deepcopy(body.card)

    @_fold.register
    def _(self, body: TurnGranted, seq: int) -> None:
        self.started = True
        self.turn, self.slot = body, body.slot
        self.ask_again = self.due = ""
        self.drafts = 0
        self.loop.begin()

    @_fold.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self.messages.append(Message(seq, body.role, body.content))
        self.last_spoke[body.role] = len(self.messages) - 1
        self.mention_spent, self.silences = False, 0
        if body.opening:
            return
        self._count_step()
        self._check_repetition()
        self.ending = "plan_generated" if body.has_plan else self.ending
        self._close_turn()

    @_fold.register
    def _(self, body: MessageWithheld, seq: int) -> None:
        self._count_step()
        if body.why == "no_plan":
            self.ask_again = "no_plan"
            return
        self._check_repetition()
        self.due = self.turn.place if self.turn else ""
        self.turn = None

    @_fold.register
    def _(self, body: AgentNoted, seq: int) -> None:
        """A note belongs to the record alone."""

    @_fold.register
    def _(self, body: ThoughtKept, seq: int) -> None:
        """Thoughts move nothing."""

    @_fold.register
    def _(self, body: DraftWithdrawn, seq: int) -> None:
        self.drafts += 1
        self.steps += 1

    @_fold.register
    def _(self, body: Passed, seq: int) -> None:
        turn = self.turn
        assert turn is not None
        self.steps += 1
        if turn.place != "preempt":
            self._close_turn()
        elif turn.problem not in ("", "passed"):  # asked to mend a marker, and silent: as if never asked
            self.silences += 1
            self.mention_spent = (
                self.silences >= self.cap
            )  # our own bound: the published rules would ask forever
            self.turn = None
        elif turn.passes + 1 < ATTEMPTS:
            self.ask_again = "passed"
        else:
            self.mention_spent = True
            self._close_turn()

    @_fold.register
    def _(self, body: MarkerAttempted, seq: int) -> None:
        if body.verdict != "accepted":
            self.ask_again = body.verdict
            self.steps += 1
        if body.logged:
            self._log(body.event, body.user, body.path, body.value, applied=False)

    @_fold.register
    def _(self, body: CompromiseApplied, seq: int) -> None:
        own = self.effective[body.user]
        changed = with_value(own["preference"], body.path, body.value)
        self.effective[body.user] = {**own, "preference": changed}
        self.applied[body.user] += 1
        self._log(body.event, body.user, body.path, body.value, applied=True)

    def _log(self, event: int, user: str, path: str, value: Any, *, applied: bool) -> None:
        entry = {"round": event, "user": user, "field_path": path, "new_value": value, "applied": applied}
        self.compromise_log.append(entry)

    @_fold.register
    def _(self, body: ToolCalled, seq: int) -> None:
        self.steps += body.step != self.loop.steps
        self.loop.call(body)

    @_fold.register
    def _(self, body: ToolReturned, seq: int) -> None:
        self.loop.waiting.pop(body.call_id, None)
        self.failing = Failing()  # what its simulator failed at is settled by the answer, whatever that is

    @_fold.register
    def _(self, body: TableInferred, seq: int) -> None:
        if body.table is not None:
            self.table = body.table
        if body.inline or self.turn is None:
            return
        self.due = self.turn.leads_to if self.turn.leads_to != "finish" else ""
        self.summarised = self.turn.leads_to == "finish"
        self.turn = None

    @_fold.register
    def _(self, body: PlanProposed, seq: int) -> None:
        self.plan = body.plan

    @_fold.register
    def _(self, body: PlanMended, seq: int) -> None:
        """What follows is the message as it was mended."""

    @_fold.register
    def _(self, body: ModelCalled, seq: int) -> None:
        self.model_calls += 1
        self.failing.take(body.outcome, body.latency_ms, body.retry_in_s)

    @_fold.register
    def _(self, body: ErrorRaised, seq: int) -> None:
        """An error is told beside the conversation; what follows from it is an event of its own."""

    @_fold.register
    def _(self, body: SessionFinished, seq: int) -> None:
        self.finished = body
        self.turn = None

    def _count_step(self) -> None:
        forced = self.turn is not None and self.turn.speaker == AGENT and not self.loop.open
        self.steps += not (forced or self.ask_again)  # a refused marker has counted its utterance already

    def _check_repetition(self) -> None:
        turn = self.turn
        if turn is None or turn.speaker != AGENT or turn.kind not in ("polled", "mentioned"):
            return
        self.consecutive_turns = self.consecutive_turns + 1 if self.loop.consecutive else 0
        if self.loop.multiple:
            self.ending = "multiple_repeated_tool_calls"
        elif self.consecutive_turns >= 2:
            self.ending = "consecutive_repeated_tool_calls"

    def _close_turn(self) -> None:
        turn, self.turn = self.turn, None
        assert turn is not None
        self.events += 1
        if turn.place == "end":
            self.ending = "max_turn_reached"
        elif self.ending:  # the lap stops where it stands
            return
        elif turn.place == "checkpoint":
            self._next_round()
        elif turn.place in ("lap", "preempt"):
            self.round_events += 1
            if turn.place == "lap":
                self._next_slot()
            if self.round_events >= self.cap:
                self._next_round()

    def _next_slot(self) -> None:
        self.slot += 1
        if self.slot > len(self.users):
            self._next_round()

    def _next_round(self) -> None:
        self.round += 1
        self.slot = self.round_events = 0


def fold(events: Iterable[Event]) -> SessionState:
    """The state after these events, from an empty one."""
    state = SessionState()
    for event in events:
        state.apply(event)
    return state
