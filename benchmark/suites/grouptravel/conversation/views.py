"""What one participant knows: a fold over the events that reach them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import Any

from benchmark.core.events import (
    AgentNoted,
    DraftWithdrawn,
    Event,
    EventBody,
    MessagePosted,
    MessageWithheld,
    SessionOpened,
    ThoughtKept,
    ToolCalled,
    ToolReturned,
    TurnGranted,
    may_see,
)
from benchmark.core.folding import by_body
from benchmark.core.toolloop import ToolLoop
from benchmark.core.view import AGENT, Card, Draft, Message, Note, ToolEntry, Traveller, Turn, View
from benchmark.suites.grouptravel.conversation.markers import with_value
from benchmark.suites.grouptravel.conversation.mentions import rightmost_mention
from benchmark.suites.grouptravel.conversation.state import QUOTA
from benchmark.suites.grouptravel.events import CardDealt, CompromiseApplied, MarkerAttempted, TableInferred


@dataclass
class ViewFold:
    """The growing view of participant `me`. `apply` ignores what `me` may not see."""

    me: str
    opened: SessionOpened | None = None
    card: dict[str, Any] | None = None
    effective: dict[str, Any] = field(default_factory=dict)
    applied: int = 0
    messages: list[Message] = field(default_factory=list)
    turn: TurnGranted | None = None
    turn_seq: int = 0
    refused: list[str] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    round: int = 0
    entries: dict[str, ToolEntry] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    loop: ToolLoop = field(default_factory=ToolLoop)

    def apply(self, event: Event) -> None:
        """Fold one event in, if it reaches this participant."""
        if may_see(self.me, event.audience):
            self._fold(event.body, event.seq)

    @by_body
    def _fold(self, body: EventBody, seq: int) -> None:
        """Whatever is not named below leaves the view as it is."""

    @_fold.register
    def _(self, body: SessionOpened, seq: int) -> None:
        self.opened = body

    @_fold.register
    def _(self, body: CardDealt, seq: int) -> None:
        self.card = body.card
        self.effective = copy.deepcopy(body.card["preference"])

    @_fold.register
    def _(self, body: CompromiseApplied, seq: int) -> None:
        self.effective = with_value(self.effective, body.path, body.value)
        self.applied += 1

    @_fold.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self.messages.append(Message(seq, body.role, body.content))

    @_fold.register
    def _(self, body: TurnGranted, seq: int) -> None:
        self.round = body.round
        if body.speaker == self.me:
            self.refused = self.refused if body.again else []
            self.turn, self.turn_seq, self.drafts = body, seq, []
            self.loop.begin()

    @_fold.register
    def _(self, body: MessageWithheld, seq: int) -> None:
        if body.why == "no_plan":
            self.refused.append(body.content)

    @_fold.register
    def _(self, body: MarkerAttempted, seq: int) -> None:
        if body.said:
            self.refused.append(body.said)

    @_fold.register
    def _(self, body: DraftWithdrawn, seq: int) -> None:
        self.drafts.append(Draft(seq, body.content, body.why, body.note))

    @_fold.register
    def _(self, body: AgentNoted, seq: int) -> None:
        self.notes.append(Note(seq, self.turn_seq, "note", body.content))

    @_fold.register
    def _(self, body: ThoughtKept, seq: int) -> None:
        self.notes.append(Note(seq, self.turn_seq, "thought", body.content))

    @_fold.register
    def _(self, body: ToolCalled, seq: int) -> None:
        self.loop.call(body)
        entry = ToolEntry(
            body.call_id, body.name, body.arguments, None, False, "", seq, self.turn_seq, body.step
        )
        self.entries[body.call_id] = entry

    @_fold.register
    def _(self, body: ToolReturned, seq: int) -> None:
        asked = self.entries[body.call_id]
        self.entries[body.call_id] = replace(asked, result=body.result, error=body.error, source=body.source)

    @_fold.register
    def _(self, body: TableInferred, seq: int) -> None:
        if body.table is not None:
            self.table = body.table

    def view(self) -> View:
        """The view at this moment.

        Raises:
            RuntimeError: it was never this participant's turn, or the session is not opened.
        """
        if self.opened is None or self.turn is None:
            raise RuntimeError(f"{self.me} has no turn to act in")
        opened = self.opened
        return View(
            me=self.me,
            language=opened.language,
            seed=opened.seed,
            query=opened.query,
            time=opened.time,
            context=opened.context,
            travellers=tuple(Traveller(m.name, m.role) for m in opened.travellers),
            companions=tuple(Traveller(m.name, m.role) for m in opened.companions),
            max_turn=opened.max_turn,
            convergence_interval=opened.convergence_interval,
            round=self.round,
            messages=tuple(self.messages[: self.turn.history]),
            turn=self._turn(self.turn, opened),
            card=self._card(),
            tool_log=tuple(self.entries.values()),
            notes=tuple(self.notes),
            table=self.table if self.me == AGENT else None,
            contract=opened.contract,
            protocol=opened.protocol,
            toolset=opened.sandbox.toolset,
        )

    def _turn(self, turn: TurnGranted, opened: SessionOpened) -> Turn:
        last = self.messages[-1] if self.messages else None
        users = [member.name for member in opened.travellers]
        by_agent = last is not None and last.role == AGENT
        return Turn(
            kind=turn.kind,
            attempt=turn.attempt + turn.passes,
            tools_allowed=turn.kind != "summary" and self.loop.open,
            step=self.loop.steps,
            solicited=by_agent and last is not None and rightmost_mention(last.content, users) == self.me,
            problem=turn.problem,
            refused=tuple(self.refused),
            drafts=tuple(self.drafts),
            seq=self.turn_seq,
        )

    def _card(self) -> Card | None:
        if self.card is None:
            return None
        return Card(
            role=str(self.card.get("role", "")),
            preference=self.card["preference"],
            effective=self.effective,
            compromisable=bool(self.card.get("compromisable", False)),
            compromises_left=max(0, QUOTA - self.applied),
        )
