"""Golden cases: plans at a turn, and lists of figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, Field, JsonValue

from benchmark.advantages.gtpo import (
    Normalisation,
    RolloutTurn,
    Scope,
    Token,
    objective,
    turn_advantages,
)
from benchmark.core.setting import Definition
from benchmark.passes import pass_figures
from benchmark.suites.base import CaseContext, CaseRefused
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.itineraries import find_plan
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.scoring.statistics import Violations, session_figures
from benchmark.suites.tripbench.scoring.verdict import Constraint, Turn, judge_plan
from sandbox.toolsets.tripbench.records import World

Number = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]
Empty = BeforeValidator(lambda value: () if value is None else value)
NoFields = BeforeValidator(lambda value: {} if value is None else value)


class _Figures(BaseModel):
    def figures(self) -> Mapping[str, Any]:
        raise NotImplementedError


class _Constraint(BaseModel):
    id: str
    rubric: JsonValue = None
    args: JsonValue = Field(default_factory=dict)


class _Plan(_Figures):
    world: World
    meta: Frame
    plan: JsonValue = None
    reply: str | None = None
    previous: JsonValue = None
    needs_plan: Annotated[bool, BeforeValidator(lambda value: True if value is None else value)] = True
    constraints: Annotated[tuple[_Constraint, ...], Empty] = ()
    allow_repeat: Annotated[tuple[str, ...], Empty] = ()
    params: Annotated[Parameters, NoFields] = Parameters()

    def figures(self) -> Mapping[str, Any]:
        """The plan that is given counts, else the one of the reply."""
        plan = self.plan
        if plan is None and self.reply is not None:
            plan = find_plan(self.reply)
        constraints = [Constraint(each.id, each.rubric, each.args) for each in self.constraints]
        repeatable = frozenset(self.allow_repeat)
        turn = Turn(self.world, self.meta, self.params, constraints, repeatable, self.needs_plan)
        return judge_plan(plan, self.previous, turn).as_json()


class _Violations(BaseModel):
    F_feas: Count
    F_sound: Count | None = None
    F_user: Count | None = None


class _Session(BaseModel):
    subset: str
    turns: list[_Violations]


class _Sessions(_Figures):
    sessions: list[_Session]
    params: Annotated[Parameters, NoFields] = Parameters()

    def figures(self) -> Mapping[str, Any]:
        sessions = [
            (each.subset, [Violations(turn.F_feas, turn.F_sound, turn.F_user) for turn in each.turns])
            for each in self.sessions
        ]
        return session_figures(sessions, self.params)


class _PassK(_Figures):
    trials: list[list[Literal[0, 1]]]
    k: list[Annotated[int, Field(ge=1)]]

    def figures(self) -> Mapping[str, Any]:
        return {"k": pass_figures(self.trials, self.k)}


class _RolloutTurn(BaseModel):
    feasible: bool
    complete: bool = True
    c: dict[str, Annotated[float, Field(ge=0, le=1)]] = {}


class _Rollout(BaseModel):
    turns: list[_RolloutTurn]


class _Gtpo(_Figures):
    rollouts: list[_Rollout]
    gin: bool = True
    trd: bool = True
    trn: bool = True
    eps: Annotated[Number, Field(ge=0)] = 1e-6
    gin_scope: Scope = "rollout"

    def figures(self) -> Mapping[str, Any]:
        rollouts = [
            [RolloutTurn(turn.feasible, turn.complete, turn.c) for turn in rollout.turns]
            for rollout in self.rollouts
        ]
        parts = Normalisation(self.gin, self.trd, self.trn, self.eps, self.gin_scope)
        return {**turn_advantages(rollouts, parts)}


class _TokenTurn(BaseModel):
    A: Number | None = None
    tokens: list[tuple[Number, Number, Number]]


class _TokenRollout(BaseModel):
    turns: list[_TokenTurn]


class _Objective(_Figures):
    rollouts: list[_TokenRollout]
    clip: Annotated[Number, Field(ge=0)] = 0.2
    beta: Number = 0.05

    def figures(self) -> Mapping[str, Any]:
        rollouts = [
            [(turn.A, [Token(*token) for token in turn.tokens]) for turn in rollout.turns]
            for rollout in self.rollouts
        ]
        return {"J": objective(rollouts, self.clip, self.beta)}


PLAN: Final = "plan"
_KINDS: Final[Mapping[str, type[_Figures]]] = {
    PLAN: _Plan,
    "sessions": _Sessions,
    "passk": _PassK,
    "gtpo": _Gtpo,
    "objective": _Objective,
}


def score_case(given: Definition, context: CaseContext) -> dict[str, Any]:
    """The figures of a case. Raises ValidationError, CaseRefused."""
    case = given.get("input", given)
    if not isinstance(case, Mapping):
        raise CaseRefused("input", "this is no object; give the fields of a case")
    kind = case.get("kind") or PLAN
    if not isinstance(kind, str) or kind not in _KINDS:
        raise CaseRefused("kind", f"there is no such kind; choose one of {', '.join(_KINDS)}")
    id_ = case.get("id", given.get("id"))
    if not isinstance(id_, str | int) or isinstance(id_, bool):
        raise CaseRefused("id", "this is neither text nor a whole number; give each case its own id")
    return {"id": id_, **_KINDS[kind].model_validate(case).figures()}
