"""The state of a TravelEval session, and what its agent knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmark.core import state, view, viewfold
from benchmark.core.events import PlanProposed
from benchmark.suites.traveleval.events import SessionOpened


@dataclass
class SessionState(state.SessionState):
    """plan: what the agent has given."""

    opening: SessionOpened | None = None
    plan: dict[str, Any] | None = None

    _fold = state.SessionState._fold_shared.extend()

    @_fold.register
    def _(self, body: PlanProposed, seq: int) -> None:
        self.plan = body.plan

    @property
    def planned(self) -> bool:
        """Whether there is a plan."""
        return self.plan is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryView(view.View):
    """task_id: of the query."""

    task_id: str


@dataclass
class ViewFold(viewfold.ViewFold):
    """The growing view of participant `me`."""

    opening: SessionOpened | None = None

    _fold = viewfold.ViewFold._fold_shared.extend()

    def view(self) -> QueryView:
        """The view at this moment. Raises RuntimeError where it was never this participant's turn."""
        _, turn = self._opening_and_turn()
        assert self.opening is not None
        return QueryView(
            **self._common_fields(self.opening),
            turn=view.Turn(**self._turn(turn)),
            task_id=self.opening.task_id,
        )
