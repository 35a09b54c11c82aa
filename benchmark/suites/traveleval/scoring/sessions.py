"""Scoring sessions: the figures of the plan that an agent has given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from benchmark.core.events import PlanProposed
from benchmark.core.setting import Setting
from benchmark.core.sheets import Missing, Sheet
from benchmark.metrics import POOLED_TRIALS, Averaging
from benchmark.suites.base import Log, Options, fill_options
from benchmark.suites.traveleval.names import standardise
from benchmark.suites.traveleval.options import AMAP, DISTANCE_OPTION
from benchmark.suites.traveleval.scoring.conditions import asked_roads, conditions_of, wants_standard_names
from benchmark.suites.traveleval.scoring.distances import AskedRoads
from benchmark.suites.traveleval.scoring.execution import execute
from benchmark.suites.traveleval.scoring.failures import count_failures
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.scoring.rules import ABLATIONS, RULES, PlanScore, score_plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables

CODE_VERSION = "6"
PUBLISHED, PAPER = "published", "paper"
PROFILES: Final[Mapping[str, Averaging]] = {PUBLISHED: POOLED_TRIALS, PAPER: POOLED_TRIALS}
KEYS: Final = tuple(key for rules in RULES.values() for key in rules)
FAILURES: Final = "failures"
"""The key below which figures have the failures of a plan, by kind."""


def score_session(log: Log, setting: Setting[Query, Tables]) -> dict[str, Sheet]:
    """The figures of the last plan of a session; none where there is no plan or no world.

    What becomes of the plan, on which no figure depends, is among the evidence by the paper.
    """
    plans = [event.body.plan for event in log if isinstance(event.body, PlanProposed)]
    if not plans or setting.world is None:
        missing = Missing("not_reached", "" if setting.world else "world")
        return {name: Sheet(dict.fromkeys(KEYS), {}, dict.fromkeys(KEYS, missing)) for name in PROFILES}
    query, tables = setting.task, setting.world
    plan = Itinerary.read(plans[-1], query, tables)
    sheets = _sheets(plan, setting)
    if wants_standard_names(setting.options):
        mended, changes = standardise(plans[-1], tables, query.target_city)
        plan, as_written = Itinerary.read(mended, query, tables), sheets
        told = [change._asdict() for change in changes]
        sheets = {
            name: _with_evidence(sheet, names=told, as_written=as_written[name].figures)
            for name, sheet in _sheets(plan, setting).items()
        }
    done = execute(plan, conditions_of(setting.options, by_paper=True).queues)
    return {**sheets, PAPER: _with_evidence(sheets[PAPER], execution=done.as_json())}


def _with_evidence(sheet: Sheet, **more: Any) -> Sheet:
    return replace(sheet, evidence={**sheet.evidence, **more})


def _sheets(plan: Itinerary, setting: Setting[Query, Tables]) -> dict[str, Sheet]:
    roads = asked_roads(setting.options, setting.open_roads)
    failures = count_failures(plan)
    sheets = {}
    for name in PROFILES:
        score = score_plan(plan, conditions_of(setting.options, by_paper=name == PAPER, roads=roads))
        sheets[name] = _with_evidence(
            sheet_of(score, name, failures), distances=_distances(setting.options, roads)
        )
    return sheets


def _distances(options: Options, roads: AskedRoads | None) -> dict[str, Any]:
    """How places were measured; of a road service also what it could not tell, and whether there was none."""
    by = fill_options((DISTANCE_OPTION,), options)[DISTANCE_OPTION.key]
    if by != AMAP:
        return {"by": by}
    return {"by": by, "is_asked": roads is not None, **(roads.as_evidence() if roads else {})}


def sheet_of(score: PlanScore, profile: str, failures: Mapping[str, int]) -> Sheet:
    """Dimensions that the published program loses have figures all the same, which its means leave out."""
    if score.is_refused:
        missing = Missing("refused", score.refused_at)
        return Sheet(dict.fromkeys(KEYS), {"run": score.run}, dict.fromkeys(KEYS, missing))
    figures = {key: _figure(score, key) for key in KEYS}
    missing_figures = {
        key: _missing(score.missing.get(key, "star" if key in score.results else ""))
        for key, value in figures.items()
        if value is None
    }
    ablations = {key: _finite(result) for key, result in score.ablations.items()}
    lost = [
        key
        for rules_by_dimension in (RULES, ABLATIONS)
        for dimension, rules in rules_by_dimension.items()
        if dimension not in score.dimensions
        for key in rules
    ]
    return Sheet(
        {**figures, **ablations, FAILURES: dict(failures)},
        _evidence(score, profile),
        missing_figures,
        uncounted_keys=lost,
    )


def _missing(field: str) -> Missing:
    return Missing("unreadable" if field else "undefined", field)


def _figure(score: PlanScore, key: str) -> float | None:
    return _finite(score.results[key]) if key in score.results else None


def _finite(result: Result) -> float | None:
    return float(result.value) if math.isfinite(result.value) else None


def _evidence(score: PlanScore, profile: str) -> dict[str, Any]:
    rows = {key: _plain(result.rows) for key, result in score.results.items() if result.rows}
    own = "" if profile == PUBLISHED else profile
    found = (mark for result in score.results.values() for mark in result.marks)
    marks = [_plain({**mark._asdict(), "profile": own}) for mark in found]
    return {"run": score.run, "dimensions": list(score.dimensions), "marks": marks, "rows": rows}


_PLAIN: Final = frozenset({str, int, bool, type(None)})


def _plain(value: Any) -> Any:
    """As JSON can hold it: a plan's numbers may be none or without end."""
    if type(value) is tuple or type(value) is list:
        return [*value] if _PLAIN.issuperset(map(type, value)) else [*map(_plain, value)]
    if isinstance(value, dict):
        return {
            key: part
            if (kind := type(part)) in _PLAIN or (kind is float and math.isfinite(part))
            else _plain(part)
            for key, part in value.items()
        }
    return None if isinstance(value, float) and not math.isfinite(value) else value
