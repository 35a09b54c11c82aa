"""The state of a session of GroupTravelBench: a fold over its whole log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmark.core import state
from benchmark.core.events import (
    DraftWithdrawn,
    Event,
    MessagePosted,
    MessageWithheld,
    PlanProposed,
    ToolCalled,
    TurnPassed,
)
from benchmark.core.state import fold_events
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.markers import rightmost_mention, with_value
from benchmark.suites.grouptravel.events import (
    CardDealt,
    CompromiseApplied,
    MarkerAttempted,
    PlanMended,
    SessionOpened,
    TableInferred,
    TurnGranted,
)

ATTEMPTS = 3
QUOTA = 2


@dataclass
class SessionState(state.SessionState):
    """Everything the scheduler, the guards and the record need. Only `apply` changes it.

    cards, tables: by user; a table is the effective one. applied_counts: compromises that counted, per user.
    last_spoke: index in `messages` of a speaker's own last one.
    round, slot, round_events: where the polling lap stands. events, steps: as the published record counts them.
    ask_again: `passed` too, where a mentioned user passed.
    silences: passes of the mentioned user when asked to mend a marker; they count nowhere else.
    due: the place of a convergence that must come next. summarised: the summary after the plan is written.
    ending: the completion reason, known before the session is closed.
    """

    opening: SessionOpened | None = None
    cards: dict[str, CardDealt] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    applied_counts: Counter[str] = field(default_factory=Counter)
    compromise_log: list[dict[str, Any]] = field(default_factory=list)
    last_spoke: dict[str, int] = field(default_factory=dict)
    slot: int = 0
    round_events: int = 0
    events: int = 0
    steps: int = 0
    turn: TurnGranted | None = None
    due: str = ""
    started: bool = False
    mention_spent: bool = False
    silences: int = 0
    consecutive_turns: int = 0
    table: dict[str, Any] = field(default_factory=dict)
    plan: dict[str, Any] | None = None
    summarised: bool = False
    ending: str = ""

    @property
    def effective(self) -> dict[str, dict[str, Any]]:
        """The published cards, with the effective tables."""
        return {user: {**own.card, "preference": self.tables[user]} for user, own in self.cards.items()}

    @property
    def planned(self) -> bool:
        """Whether there is a plan."""
        return self.plan is not None

    @property
    def may_call(self) -> bool:
        """Whether the agent may call tools now: not for a summary."""
        return super().may_call and self.turn is not None and not self.turn.hidden

    @property
    def cap(self) -> int:
        """Events at which a round is closed."""
        return 5 * (len(self.users) + 1)

    @property
    def guards_end(self) -> bool:
        """Whether an exhausted mention and a round at its cap end the session."""
        return self.opening is not None and self.opening.guards == "paper"

    @property
    def addressee(self) -> str | None:
        """Whom the last visible message mentions, when it is the agent's."""
        if not self.messages or self.messages[-1].role != AGENT:
            return None
        return rightmost_mention(self.messages[-1].content, self.users)

    @property
    def due_speaker(self) -> str | None:
        """Who is to speak at once: the addressed, until the mention is spent."""
        return None if self.mention_spent else self.addressee

    def has_news(self, user: str) -> bool:
        """Whether something visible was said since this user's own last message; a pass is not seeing."""
        return len(self.messages) > self.last_spoke.get(user, -1) + 1

    _fold = state.SessionState._fold_shared.extend()

    @_fold.register
    def _(self, body: CardDealt, seq: int) -> None:
        self.cards[body.user] = body
        self.tables[body.user] = body.preference

    @_fold.register
    def _(self, body: TurnGranted, seq: int) -> None:
        self._fold_shared(body, seq)
        self.started = True
        self.slot = body.slot
        self.due = ""

    @_fold.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self.last_spoke[body.role] = len(self.messages)
        self.mention_spent, self.silences = False, 0
        if not body.opening:
            self._count_step()
            self._check_repetition()
            self.ending = "plan_generated" if body.has_plan else self.ending
            self._close_turn()
        self._fold_shared(body, seq)

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
    def _(self, body: DraftWithdrawn, seq: int) -> None:
        self._fold_shared(body, seq)
        self.steps += 1

    @_fold.register
    def _(self, body: TurnPassed, seq: int) -> None:
        turn = self.turn
        assert turn is not None
        self.steps += 1
        if turn.place != "preempt":
            self._close_turn()
        elif turn.problem not in ("", "passed"):  # asked to mend a marker, and silent: as if never asked
            self.silences += 1
            if self.silences >= self.cap:  # our own bound: the published rules would ask forever
                self._spend_mention()
            self.turn = None
        elif turn.passes + 1 < ATTEMPTS:
            self.ask_again = "passed"
        else:
            self._spend_mention()
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
        self.tables[body.user] = with_value(self.tables[body.user], body.path, body.value)
        self.applied_counts[body.user] += 1
        self._log(body.event, body.user, body.path, body.value, applied=True)

    def _log(self, event: int, user: str, path: str, value: Any, *, applied: bool) -> None:
        entry = {"round": event, "user": user, "field_path": path, "new_value": value, "applied": applied}
        self.compromise_log.append(entry)

    @_fold.register
    def _(self, body: ToolCalled, seq: int) -> None:
        self.steps += body.step != self.loop.steps
        self._fold_shared(body, seq)

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
                self._close_round_at_cap()

    def _spend_mention(self) -> None:
        self.mention_spent = True
        self.ending = "mention_exhausted" if self.guards_end else self.ending

    def _close_round_at_cap(self) -> None:
        if self.guards_end:
            self.ending = "event_cap_reached"
        else:
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
    return fold_events(SessionState(), events)
