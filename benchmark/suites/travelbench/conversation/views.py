"""What one participant of a TravelBench session knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmark.core import view, viewfold
from benchmark.core.events import TurnGranted
from benchmark.suites.travelbench.events import IntentDealt, SessionOpened
from benchmark.suites.travelbench.modes import MODEL_STEPS, Subtask


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestView(view.View):
    """subtask, query, time, context: of the task. intent, profile: what the user alone knows, None for the agent.
    protocol: whose rules the session follows.
    """

    subtask: Subtask
    query: str
    time: str
    context: str
    intent: str | None = None
    profile: str | None = None
    protocol: str = "published"


@dataclass
class ViewFold(viewfold.ViewFold):
    """The growing view of participant `me`."""

    opening: SessionOpened | None = None
    intent: IntentDealt | None = None

    _fold = viewfold.ViewFold._fold_shared.extend()

    @_fold.register
    def _(self, body: IntentDealt, seq: int) -> None:
        self.intent = body

    def view(self) -> RequestView:
        """The view at this moment.

        Raises:
            RuntimeError: it was never this participant's turn, or the session is not opened.
        """
        _, turn = self._opening_and_turn()
        opened = self.opening
        assert opened is not None
        return RequestView(
            **self._common_fields(opened),
            turn=view.Turn(**self._turn(turn)),
            subtask=opened.subtask,
            query=opened.query,
            time=opened.time,
            context=opened.context,
            intent=self.intent.intent if self.intent else None,
            profile=self.intent.profile if self.intent else None,
            protocol=opened.protocol,
        )

    def _turn(self, turn: TurnGranted) -> dict[str, Any]:
        return {**super()._turn(turn), "tools_allowed": self.loop.steps < MODEL_STEPS}
