"""The state of a TRIP-Bench session: a fold over the whole log."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmark.core import state
from benchmark.core.events import MessagePosted, TurnPassed
from benchmark.core.view import AGENT
from benchmark.plans.view import Plan
from benchmark.suites.tripbench.events import (
    Finding,
    InstructionsIssued,
    PlanChecked,
    PlanProposed,
    SessionOpened,
    TaskDealt,
    UserBriefed,
)
from benchmark.suites.tripbench.modes import MODEL_STEPS, SINGLE_TURN
from benchmark.suites.tripbench.tasks.task import CONTENT, Task
from benchmark.suites.tripbench.turns import AgentTurn


@dataclass
class SessionState(state.SessionState):
    """round: turns that the agent has finished. brief: what the user may say now, None once there is nothing more.

    issued_ids: of instructions, in order. exact: those that were said exactly. told_ids: of what the user's
    last message has said.
    asks: whether it asks for another plan. findings: what is wrong with the last plan, as the user was told. silent:
    the user has passed.
    """

    opening: SessionOpened | None = None
    task: Task | None = None
    brief: UserBriefed | None = None
    issued_ids: list[str] = field(default_factory=list)
    exact: set[str] = field(default_factory=set)
    told_ids: tuple[str, ...] = ()
    asks: bool = False
    plan: Plan | None = None
    findings: tuple[Finding, ...] = ()
    turns: list[AgentTurn] = field(default_factory=list)
    silent: bool = False

    @property
    def planned(self) -> bool:
        """Whether there is a plan, and nothing more is asked for."""
        return self.plan is not None and self.brief is None

    @property
    def needs_plan(self) -> bool:
        """Whether a reply without a plan fails now: the first one does, and one to what is new or changes."""
        return self.asks or not self.round

    @property
    def spent(self) -> bool:
        """Whether the agent has taken the last step of its turn."""
        return self.loop.steps >= MODEL_STEPS

    @property
    def may_call(self) -> bool:
        """Whether the agent may call tools now; repeated calls are its own affair."""
        return self.turn is not None and self.turn.speaker == AGENT and not self.spent

    _fold = state.SessionState._fold_shared.extend()

    @_fold.register
    def _(self, body: TaskDealt, seq: int) -> None:
        self.task = Task.model_validate(body.task)

    @_fold.register
    def _(self, body: UserBriefed, seq: int) -> None:
        self.brief = body

    @_fold.register
    def _(self, body: InstructionsIssued, seq: int) -> None:
        assert self.task is not None and self.opening is not None and self.brief is not None
        known = self.task.instructions
        vague = {item.id for item in self.brief.items if item.is_vague}
        said = [id_ for id_ in body.ids if id_ in known]
        exact = {*said} - vague
        is_fresh = any(id_ not in self.issued_ids for id_ in said) or not exact <= self.exact
        self.asks = is_fresh or CONTENT in body.ids
        self.exact |= exact
        if self.opening.mode == SINGLE_TURN:
            self.issued_ids = [*known]
        else:
            self.issued_ids += [id_ for id_ in said if id_ not in self.issued_ids]
        self.told_ids = body.ids

    @_fold.register
    def _(self, body: MessagePosted, seq: int) -> None:
        self._fold_shared(body, seq)
        if body.role == AGENT:
            turn = AgentTurn(seq, tuple(self.issued_ids), self.told_ids, self.needs_plan, before=self.plan)
            self.turns.append(turn)
            self.round += 1
            self.brief, self.findings = None, ()
        else:
            self.told_ids, self.asks = (), False

    @_fold.register
    def _(self, body: PlanProposed, seq: int) -> None:
        self.plan = body.plan
        self.turns[-1] = self.turns[-1]._replace(plan=body.plan, is_carried=body.carried)

    @_fold.register
    def _(self, body: PlanChecked, seq: int) -> None:
        self.findings = body.findings

    @_fold.register
    def _(self, body: TurnPassed, seq: int) -> None:
        self._fold_shared(body, seq)
        self.silent = True
