"""Scoring sessions: the reward of the plan that an agent has given, by rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from benchmark.core.events import ModelCalled, PlanProposed
from benchmark.core.setting import Setting
from benchmark.core.sheets import Missing, Sheet
from benchmark.metrics import POOLED_TRIALS, Averaging
from benchmark.plans.view import Findings, Plan
from benchmark.suites.base import Log
from benchmark.suites.tripscore.metrics import (
    COMMON_SENSE,
    COND_REWARD,
    CONSTRAINTS,
    DELIVERED,
    FEASIBLE,
    FORMAT,
    KEYS_BY_RUBRIC,
    PREFERENCE,
    REWARD,
    SOFT,
    TIME,
)
from benchmark.suites.tripscore.scoring.form import long_texts
from benchmark.suites.tripscore.scoring.options import parameters_of
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS, Parameters
from benchmark.suites.tripscore.scoring.reward import Score, highest_reward, score_plan
from benchmark.suites.tripscore.tasks import Task

CODE_VERSION = "2"
PUBLISHED: Final = "published"
PARAMETERS: Final[Mapping[str, Parameters]] = {PUBLISHED: DEFAULTS}
"""Of each profile, before a run chooses others (`parameters_of`)."""
PROFILES: Final[Mapping[str, Averaging]] = dict.fromkeys(PARAMETERS, POOLED_TRIALS)
AnySetting = Setting[Task, None]


def score_session(log: Log, setting: AnySetting) -> dict[str, Sheet]:
    """The figures of the last plan; an answer without one fails by its format."""
    plans = [event.body.plan for event in log if isinstance(event.body, PlanProposed)]
    plan = plans[-1] if plans else None
    parameters = parameters_of(setting.options)
    score = score_plan(plan, setting.task, parameters, {})
    sheet = _sheet(score, setting.task, parameters, seconds_of_models(log))
    long = long_texts(plan) if plan else []
    return {PUBLISHED: replace(sheet, evidence={**sheet.evidence, "long_texts": long})}


def check_plan(plan: Plan, setting: AnySetting) -> Findings:
    """What the gates find in a plan, for whoever writes one."""
    score = score_plan(plan, setting.task, parameters_of(setting.options), {})
    marks = () if score.feasible else tuple(mark for found in score.marks.values() for mark in found)
    return Findings(marks, score.reward, score.feasible)


def seconds_of_models(log: Log) -> float | None:
    """How long the requests to models took until the plan, with the pauses between attempts, but for rate limits.

    None where no model was asked.
    """
    total, asked = 0.0, False
    for event in log:
        if isinstance(event.body, PlanProposed):
            break
        if isinstance(event.body, ModelCalled):
            asked = True
            limited = event.body.outcome == "rate_limit"
            total += 0 if limited else event.body.latency_ms / 1000 + (event.body.retry_in_s or 0)
    return total if asked else None


def _sheet(score: Score, task: Task, parameters: Parameters, time_s: float | None) -> Sheet:
    groups = {
        FORMAT: score.format,
        COMMON_SENSE: score.commonsense or {},
        SOFT: score.soft or {},
        PREFERENCE: score.pref or {},
    }
    constraints = {key: groups[group].get(key) for group, keys in CONSTRAINTS.items() for key in keys}
    figures = {
        REWARD: score.reward,
        DELIVERED: score.delivered,
        FEASIBLE: score.feasible if score.delivered else None,
        COND_REWARD: score.reward if score.feasible else None,
        TIME: time_s,
        **constraints,
    }
    return Sheet(figures, _evidence(score, task, parameters), _missing(score, constraints))


def _missing(score: Score, constraints: Mapping[str, object]) -> dict[str, Missing]:
    """Why constraints have no figure; wishes that nobody has need no reason."""
    gate = "" if score.feasible else "commonsense" if score.delivered else "format"
    if gate:
        return {key: Missing("not_reached", gate) for key, value in constraints.items() if value is None}
    told = {key: Missing("unjudged") for key in KEYS_BY_RUBRIC.values() if constraints[key] is None}
    lacking = {key: Missing("undefined") for key in score.stated_wishes if constraints[key] is None}
    return {
        **lacking,
        **{key: why for key, why in told.items() if key != "user" or key in score.stated_wishes},
    }


def _evidence(score: Score, task: Task, parameters: Parameters) -> dict[str, Any]:
    marks = [
        mark._replace(params={**mark.params, "constraint": key})._asdict()
        for key, found in score.marks.items()
        for mark in found
    ]
    return {
        "marks": marks,
        "stated": list(score.stated_wishes),
        "highest": highest_reward(task, parameters, rated=False),
        "highest_rated": highest_reward(task, parameters, rated=True),
        "parameters": parameters.model_dump(mode="json"),
    }
