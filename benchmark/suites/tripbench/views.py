"""What one participant of a TRIP-Bench session knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmark.core import view, viewfold
from benchmark.core.events import TurnGranted
from benchmark.suites.tripbench.events import SessionOpened, UserBriefed
from benchmark.suites.tripbench.modes import MODEL_STEPS


@dataclass(frozen=True, slots=True, kw_only=True)
class TripView(view.View):
    """brief: what the user may say in this turn, None for the agent."""

    brief: UserBriefed | None = None


@dataclass
class ViewFold(viewfold.ViewFold):
    """The growing view of participant `me`."""

    opening: SessionOpened | None = None
    brief: UserBriefed | None = None

    _fold = viewfold.ViewFold._fold_shared.extend()

    @_fold.register
    def _(self, body: UserBriefed, seq: int) -> None:
        self.brief = body

    def view(self) -> TripView:
        """The view at this moment.

        Raises:
            RuntimeError: it was never this participant's turn, or the session is not opened.
        """
        opened, turn = self._opening_and_turn()
        return TripView(**self._common_fields(opened), turn=view.Turn(**self._turn(turn)), brief=self.brief)

    def _turn(self, turn: TurnGranted) -> dict[str, Any]:
        return {**super()._turn(turn), "tools_allowed": self.loop.steps < MODEL_STEPS}
