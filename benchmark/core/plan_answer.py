"""Sessions of one request and one answer with a plan: what benchmarks that plan so have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmark.core import state
from benchmark.core.events import EventBody, MessagePosted, PlanProposed, SessionFinished, TurnGranted
from benchmark.core.view import AGENT

PLAN_TURN = "plan"
PLANNED, NO_PLAN = "planned", "no_plan"


@dataclass
class PlanState(state.SessionState):
    """plan: what the agent has given."""

    plan: dict[str, Any] | None = None

    _fold = state.SessionState._fold_shared.extend()

    @_fold.register
    def _(self, body: PlanProposed, seq: int) -> None:
        self.plan = body.plan

    @property
    def planned(self) -> bool:
        """Whether there is a plan."""
        return self.plan is not None


def next_turn(now: PlanState) -> TurnGranted | SessionFinished:
    """One turn of the agent, then the end."""
    if now.messages[-1].role == AGENT:
        return SessionFinished(reason=PLANNED if now.planned else NO_PLAN, plan_generated=now.planned)
    return TurnGranted(speaker=AGENT, kind=PLAN_TURN)


def answer_events(content: str, plan: dict[str, Any] | None) -> list[EventBody]:
    """The events that an answer makes. plan: the one that is found in it."""
    message = MessagePosted(role=AGENT, content=content, has_plan=plan is not None)
    return [message] if plan is None else [message, PlanProposed(plan=plan)]
