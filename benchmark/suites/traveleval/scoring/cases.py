"""Golden cases: a plan with its query, and what the rules make of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel, Field

from benchmark.suites.base import CaseContext, CaseRefused
from benchmark.suites.traveleval.names import standardise
from benchmark.suites.traveleval.scoring.conditions import asked_roads, conditions_of, wants_standard_names
from benchmark.suites.traveleval.scoring.costs import KINDS
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import NEVER_ENDS_A_RUN, RULES, PlanScore, score_plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables, tables_of
from sandbox.worlds import World

_BY_DISTANCE: Final = {"ssr": "SSR", "csm_p90": "CSM_P90", "csm_p95": "CSM_P95"}
_COSTS: Final = ("cost_", "share_")
_KEYS = [key for rules in RULES.values() for key in rules if not key.startswith(_COSTS)]
_NAMES: Final = {**{key: key.upper() for key in _KEYS if key not in _BY_DISTANCE}, "profit": "Profit"}


class Case(BaseModel):
    """A line of a file of plans. query_patch: fields of the query that are replaced. itinerary: whatever it is."""

    case: str
    query_uid: str
    query_patch: dict[str, Any] = Field(default_factory=dict)
    itinerary: Any = None


_tables_of = lru_cache(maxsize=1)(tables_of)


def _task_of(case: Case, context: CaseContext) -> Mapping[str, Any]:
    """The query that a case names. Raises CaseRefused, with the field as cases have it."""
    try:
        return context.task(case.query_uid)
    except CaseRefused as refused:
        raise CaseRefused("query_uid", str(refused)) from refused


def score_case(given: Mapping[str, Any], context: CaseContext) -> dict[str, Any]:
    """The figures of a case. Raises ValidationError, CaseRefused."""
    case = Case.model_validate(given)
    query = Query.model_validate({**_task_of(case, context), **case.query_patch})
    tables, plan = _tables(context.pack), case.itinerary
    if isinstance(plan, dict) and wants_standard_names(context.options):
        plan, _changes = standardise(plan, tables, query.target_city)
    own = Itinerary.read(plan, query, tables)
    roads = asked_roads(context.options, context.open_roads)
    scored = score_plan(own, conditions_of(context.options, by_paper=False, roads=roads))
    if context.profile == "paper":
        by_paper = score_plan(own, conditions_of(context.options, by_paper=True, roads=roads))
        scored = replace(by_paper, run=scored.run, dimensions=scored.dimensions)
    return {"case": case.case, **figures_as_published(scored)}


def _tables(pack: World | None) -> Tables:
    if pack is None:
        raise CaseRefused("", "plans are scored over a world; name one")
    return _tables_of(pack)


def figures_as_published(scored: PlanScore) -> dict[str, Any]:
    """As the files of expected figures have them."""
    finished = [dimension for dimension in scored.dimensions if dimension != NEVER_ENDS_A_RUN]
    run = {"run": scored.run, "dimensions": finished}
    if scored.is_refused:
        return {**run, "reason": "refused", "field": scored.refused_at, "metrics": None}
    costs = {kind: _figure(scored, f"cost_{kind}") for kind in KINDS}
    unknown = all(f"cost_{kind}" in scored.missing for kind in KINDS)
    return {
        **run,
        "metrics": {
            **{name: _figure(scored, key) for key, name in _NAMES.items()},
            "costs": costs[KINDS[0]] if unknown else costs,
            "great_circle": {name: _figure(scored, key) for key, name in _BY_DISTANCE.items()},
        },
    }


def _figure(scored: PlanScore, key: str) -> Any:
    value = scored.results[key].value if key in scored.results else math.inf
    if math.isinf(value):
        return {"value": None, "reason": "undefined", "field": scored.missing.get(key, "")}
    return "NaN" if math.isnan(value) else float(value)
