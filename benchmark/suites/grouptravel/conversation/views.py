"""What one participant of GroupTravelBench knows: a fold over the events that reach them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from benchmark.core import viewfold
from benchmark.core.events import MessagePosted, MessageWithheld
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.markers import rightmost_mention, with_value
from benchmark.suites.grouptravel.conversation.state import QUOTA
from benchmark.suites.grouptravel.events import (
    CardDealt,
    CompromiseApplied,
    MarkerAttempted,
    SessionOpened,
    TableInferred,
    TurnGranted,
)
from benchmark.suites.grouptravel.view import Card, GroupTurn, GroupView, Traveller


@dataclass
class ViewFold(viewfold.ViewFold):
    """The growing view of participant `me`: with a traveller's own card, or the agent's own table."""

    opening: SessionOpened | None = None
    turn: TurnGranted | None = None
    card: CardDealt | None = None
    effective: dict[str, Any] = field(default_factory=dict)
    applied: int = 0
    table: dict[str, Any] = field(default_factory=dict)
    read_problem: str = ""

    _fold = viewfold.ViewFold._fold_shared.extend()

    @_fold.register
    def _(self, body: CardDealt, seq: int) -> None:
        self.card = body
        self.effective = body.preference

    @_fold.register
    def _(self, body: CompromiseApplied, seq: int) -> None:
        self.effective = with_value(self.effective, body.path, body.value)
        self.applied += 1

    @_fold.register
    def _(self, body: MessageWithheld, seq: int) -> None:
        if body.why == "no_plan":
            self.refusals.append(body.content)

    @_fold.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self._fold_shared(body, seq)
        if body.role == self.me:
            self.read_problem = ""

    @_fold.register
    def _(self, body: MarkerAttempted, seq: int) -> None:
        if body.said:
            self.refusals.append(body.said)

    @_fold.register
    def _(self, body: TableInferred, seq: int) -> None:
        self.read_problem = "no_table" if body.table is None else ""
        if body.table is not None:
            self.table = body.table

    def view(self) -> GroupView:
        """The view at this moment.

        Raises:
            RuntimeError: it was never this participant's turn, or the session is not opened.
        """
        self._opening_and_turn()
        opened, turn = self.opening, self.turn
        assert opened is not None and turn is not None
        seen = {**self._common_fields(opened), "messages": tuple(self.messages[: turn.history])}
        return GroupView(
            **seen,
            query=opened.query,
            time=opened.time,
            context=opened.context,
            travellers=tuple(Traveller(m.name, m.role) for m in opened.travellers),
            companions=tuple(Traveller(m.name, m.role) for m in opened.companions),
            max_turn=opened.max_turn,
            convergence_interval=opened.convergence_interval,
            turn=self._turn_of(turn, opened),
            card=self._card(),
            table=self.table if self.me == AGENT else None,
            protocol=opened.protocol,
            contract=opened.contract,
        )

    def _turn_of(self, turn: TurnGranted, opened: SessionOpened) -> GroupTurn:
        last = self.messages[-1] if self.messages else None
        users = [member.name for member in opened.travellers]
        by_agent = last is not None and last.role == AGENT
        asked = {
            **self._turn(turn),
            "attempt": turn.attempt + turn.passes,
            "tools_allowed": turn.kind != "summary" and self.loop.open,
            "unread": self.read_problem if self.me == AGENT else "",
        }
        return GroupTurn(
            **asked,
            solicited=by_agent and last is not None and rightmost_mention(last.content, users) == self.me,
        )

    def _card(self) -> Card | None:
        if self.card is None:
            return None
        return Card(
            role=self.card.role,
            preference=self.card.preference,
            effective=self.effective,
            compromisable=self.card.compromisable,
            compromises_left=max(0, QUOTA - self.applied),
        )
