"""Golden cases: plans with their tasks, and lists of figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, Field

from benchmark.advantages.grpo import advantages
from benchmark.core.options import Options
from benchmark.core.setting import Definition
from benchmark.suites.base import CaseContext, CaseRefused
from benchmark.suites.tripscore.itineraries import find_plan
from benchmark.suites.tripscore.scoring.options import parameters_of
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.scoring.statistics import aggregate, agreement, ceiling
from benchmark.suites.tripscore.tasks.numbers import Number, Whole
from benchmark.suites.tripscore.tasks.task import PACES_KEY, REAL, Task

Nothing = BeforeValidator(lambda value: {} if value is None else value)


class _Result(BaseModel):
    delivered: bool
    feasible: bool
    reward: Number


class _Figures(BaseModel):
    def figures(self) -> Mapping[str, Any]:
        raise NotImplementedError


class _Aggregate(_Figures):
    results: list[_Result]

    def figures(self) -> Mapping[str, Any]:
        return aggregate([(each.delivered, each.feasible, each.reward) for each in self.results])


class _Ceiling(_Figures):
    K: Annotated[Whole, Field(ge=1)]
    A_pair: Annotated[Number, Field(ge=0, le=1)]
    A_model: Annotated[Number, Field(ge=0, le=1)]

    def figures(self) -> Mapping[str, Any]:
        return ceiling(self.K, self.A_pair, self.A_model)


class _Grpo(_Figures):
    rewards: list[Number]
    ddof: Annotated[Whole, Field(ge=0)] = 0
    eps: Annotated[Number, Field(ge=0)] = 1e-6

    def figures(self) -> Mapping[str, Any]:
        return {"advantages": advantages(self.rewards, self.ddof, self.eps)}


class _Pair(BaseModel):
    r1: Number
    r2: Number
    votes: list[Literal["A", "B", "N"]]


class _Agreement(_Figures):
    pairs: list[_Pair]

    def figures(self) -> Mapping[str, Any]:
        return agreement([(pair.r1, pair.r2, pair.votes) for pair in self.pairs])


_KINDS: Final[Mapping[str, type[_Figures]]] = {
    "aggregate": _Aggregate,
    "ceiling": _Ceiling,
    "grpo": _Grpo,
    "agreement": _Agreement,
}
PLAN: Final = "plan"


class _CaseExtras(BaseModel):
    """What a case of a plan has beside its task."""

    params: Annotated[Parameters, Nothing] = Parameters()
    ratings: Annotated[dict[str, Any], Nothing] = Field(default_factory=dict)
    answer: str | None = None


def score_case(given: Definition, context: CaseContext) -> dict[str, Any]:
    """The figures of a case. Raises ValidationError, CaseRefused."""
    case = given.get("input", given)
    if not isinstance(case, Mapping):
        raise CaseRefused("input", "this is no object; give the fields of a case")
    kind = case.get("kind") or PLAN
    if not isinstance(kind, str) or kind not in (PLAN, *_KINDS):
        raise CaseRefused("kind", f"there is no such kind; choose one of {', '.join((PLAN, *_KINDS))}")
    id_ = case.get("id", given.get("id"))
    if not isinstance(id_, str | int) or isinstance(id_, bool):
        raise CaseRefused("id", "this is neither text nor a whole number; give each case its own id")
    figures = (
        _score_plan_case(case, context.options)
        if kind == PLAN
        else _KINDS[kind].model_validate(case).figures()
    )
    return {"id": id_, **figures}


def _score_plan_case(case: Definition, options: Options) -> Mapping[str, Any]:
    """What a case says of parameters replaces what the run has chosen."""
    own = _CaseExtras.model_validate(case)
    said = {key: getattr(own.params, key) for key in own.params.model_fields_set}
    parameters = parameters_of(options).model_copy(update=said)
    task = Task.model_validate({**case, "id": case.get("id", "?")}, context={PACES_KEY: [*parameters.pacing]})
    _refuse_missing_parameters(task, parameters)
    plan = case.get("plan")
    if plan is None and own.answer is not None:
        plan = find_plan(own.answer)
    return score_plan(plan, task, parameters, own.ratings).as_json()


def _refuse_missing_parameters(task: Task, parameters: Parameters) -> None:
    wish = task.query.preferences.budget
    if task.query.type != REAL and wish and parameters.band(wish) is None:
        raise CaseRefused("params.star_bands", f"there are no stars for “{wish}”; add them")
