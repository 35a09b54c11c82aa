"""The state of a TravelEval session, and what its agent knows."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.core import view, viewfold
from benchmark.core.plan_answer import PlanState
from benchmark.suites.traveleval.events import SessionOpened


@dataclass
class SessionState(PlanState):
    """Of one query."""

    opening: SessionOpened | None = None


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
