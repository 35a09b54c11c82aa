"""The state of a TravelBench session: a fold over the whole log."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.core import state
from benchmark.core.events import TurnPassed
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.events import USER, IntentDealt, MessagePosted, SessionOpened
from benchmark.suites.travelbench.modes import MODEL_STEPS


@dataclass
class SessionState(state.SessionState):
    """round: turns that the agent has finished. answered: it has given an answer of its own. silent: the user has
    passed instead of answering.
    """

    opening: SessionOpened | None = None
    intent: IntentDealt | None = None
    answered: bool = False
    silent: bool = False

    @property
    def planned(self) -> bool:
        """An answer is all that an agent is asked for."""
        return self.answered

    @property
    def spent(self) -> bool:
        """Whether the agent has taken the last step of its turn."""
        return self.loop.steps >= MODEL_STEPS

    @property
    def may_call(self) -> bool:
        """The published loop has no guard against repeated calls."""
        return self.turn is not None and self.turn.speaker == AGENT and not self.spent

    _fold = state.SessionState._fold_shared.extend()

    @_fold.register
    def _(self, body: IntentDealt, seq: int) -> None:
        self.intent = body

    @_fold.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self._fold_shared(body, seq)
        self.round += body.role == AGENT
        self.answered = self.answered or (body.role == AGENT and not body.failed)

    @_fold.register
    def _(self, body: TurnPassed, seq: int) -> None:
        self._fold_shared(body, seq)
        self.silent = self.silent or body.user == USER
