"""The agent asks, the player answers, until the number is found or the questions are spent."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.core import state, view, viewfold
from benchmark.core.actions import Say
from benchmark.core.events import EventBody, MessagePosted, SessionFinished, TurnGranted
from benchmark.core.rules import Rules
from benchmark.core.setting import Check
from benchmark.core.view import AGENT
from benchmark.text import guarded
from tests.toysuite.events import PLAYER, NumberDealt, SessionOpened

CORRECT_ANSWER = "yes"


def number_asked(text: str) -> dict[str, int] | None:
    """The number that a message asks about, in words or in JSON."""
    found = guarded.search(r'(?:Is it |"number": )(\d+)', text)
    return {"number": int(found[1])} if found else None


@dataclass
class ToyState(state.SessionState):
    opening: SessionOpened | None = None
    number: int = 0

    _fold = state.SessionState._fold_shared.extend()

    @_fold.register
    def _(self, body: NumberDealt, seq: int) -> None:
        self.number = body.number

    @_fold.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self._fold_shared(body, seq)
        self.round += body.role == PLAYER


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyView(view.View):
    """number: None for the agent."""

    number: int | None = None


@dataclass
class ToyViewFold(viewfold.ViewFold):
    number: int | None = None

    _fold = viewfold.ViewFold._fold_shared.extend()

    @_fold.register
    def _(self, body: NumberDealt, seq: int) -> None:
        self.number = body.number

    def view(self) -> ToyView:
        opened, turn = self._opening_and_turn()
        return ToyView(**self._common_fields(opened), turn=view.Turn(**self._turn(turn)), number=self.number)


def next_turn(state: ToyState) -> TurnGranted | SessionFinished:
    assert state.opening is not None
    last = state.messages[-1] if state.messages else None
    if last is not None and last.content == CORRECT_ANSWER:
        return SessionFinished(reason="number_found")
    if state.round >= state.opening.rounds * (2 if state.opening.options.get("mode") == "double" else 1):
        return SessionFinished(reason="questions_spent")
    asked = last is not None and last.role == AGENT
    return TurnGranted(
        speaker=PLAYER if asked else AGENT, kind="reply" if asked else "ask", round=state.round
    )


def events_of_saying(state: ToyState, action: Say, check: Check | None = None) -> list[EventBody]:
    assert state.turn is not None
    return [MessagePosted(role=state.turn.speaker, content=action.content)]


RULES = Rules(state=ToyState, view=ToyViewFold, next_turn=next_turn, utterance_events=events_of_saying)
