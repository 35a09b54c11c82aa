"""A view that grows: a fold over only those events that its participant may see."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from benchmark.core.events import (
    AgentNoted,
    DraftWithdrawn,
    Event,
    EventBody,
    MessagePosted,
    SessionForked,
    SessionOpened,
    ThoughtKept,
    ToolCalled,
    ToolReturned,
    TurnGranted,
    may_see,
)
from benchmark.core.folding import by_body
from benchmark.core.toolloop import ToolLoop
from benchmark.core.view import Draft, Message, Note, ToolEntry, Turn, View


@dataclass
class ViewFold:
    """The growing view of participant `me`. `apply` ignores what `me` may not see.

    A benchmark's subclass folds its own events in `_fold`, which is `_fold_shared.extended()`.
    """

    me: str
    opening: SessionOpened | None = None
    messages: list[Message] = field(default_factory=list)
    turn: TurnGranted | None = None
    turn_seq: int = 0
    refusals: list[str] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    round: int = 0
    entries: dict[str, ToolEntry] = field(default_factory=dict)
    loop: ToolLoop = field(default_factory=ToolLoop)

    def apply(self, event: Event) -> None:
        """Fold one event in, if it reaches this participant."""
        if may_see(self.me, event.audience):
            self._fold(event.body, event.seq)

    def view(self) -> View:
        """The view at this moment.

        Raises:
            RuntimeError: it was never this participant's turn, or the session is not opened.
        """
        opened, turn = self._opening_and_turn()
        return View(**self._common_fields(opened), turn=Turn(**self._turn(turn)))

    def _opening_and_turn(self) -> tuple[SessionOpened, TurnGranted]:
        if self.opening is None or self.turn is None:
            raise RuntimeError(f"{self.me} has no turn to act in")
        return self.opening, self.turn

    def _common_fields(self, opened: SessionOpened) -> dict[str, Any]:
        """What every benchmark's view has, but for the turn."""
        return {
            "me": self.me,
            "language": opened.language,
            "seed": opened.seed,
            "round": self.round,
            "messages": tuple(self.messages),
            "tool_log": tuple(self.entries.values()),
            "notes": tuple(self.notes),
            "toolset": opened.sandbox.toolset,
        }

    def _turn(self, turn: TurnGranted) -> dict[str, Any]:
        """What every benchmark's turn has."""
        return {
            "kind": turn.kind,
            "attempt": turn.attempt,
            "tools_allowed": self.loop.open,
            "step": self.loop.steps,
            "problem": turn.problem,
            "refused": tuple(self.refusals),
            "drafts": tuple(self.drafts),
            "seq": self.turn_seq,
        }

    @by_body
    def _fold_shared(self, body: EventBody, seq: int) -> None:
        """An event of a kind that is not registered below leaves the view as it is."""

    @_fold_shared.register
    def _(self, body: SessionOpened, seq: int) -> None:
        self.opening = body

    @_fold_shared.register
    def _(self, body: SessionForked, seq: int) -> None:
        self.opening = self.opening and body.with_seed(self.opening)

    @_fold_shared.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self.messages.append(Message(seq, body.role, body.content))

    @_fold_shared.register
    def _(self, body: TurnGranted, seq: int) -> None:
        self.round = body.round
        if body.speaker == self.me:
            self.refusals = self.refusals if body.is_repeat else []
            self.turn, self.turn_seq, self.drafts = body, seq, []
            self.loop.begin()

    @_fold_shared.register
    def _(self, body: DraftWithdrawn, seq: int) -> None:
        self.drafts.append(Draft(seq, body.content, body.why, body.note))

    @_fold_shared.register
    def _(self, body: AgentNoted, seq: int) -> None:
        self.notes.append(Note(seq, self.turn_seq, "note", body.content))

    @_fold_shared.register
    def _(self, body: ThoughtKept, seq: int) -> None:
        self.notes.append(Note(seq, self.turn_seq, "thought", body.content))

    @_fold_shared.register
    def _(self, body: ToolCalled, seq: int) -> None:
        self.loop.call(body)
        entry = ToolEntry(
            body.call_id, body.name, body.arguments, None, False, "", seq, self.turn_seq, body.step
        )
        self.entries[body.call_id] = entry

    @_fold_shared.register
    def _(self, body: ToolReturned, seq: int) -> None:
        asked = self.entries[body.call_id]
        self.entries[body.call_id] = replace(asked, result=body.result, error=body.error, source=body.source)

    _fold = _fold_shared
