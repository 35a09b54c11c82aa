"""TripScore as Caravan asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmark.core.participant import Cast
from benchmark.suites.base import CaseContext, Cases, Making, Play, Rating, Scoring, Suite, Tasks
from benchmark.suites.tripscore.conversation import RULES, opening_step, plan_record
from benchmark.suites.tripscore.events import KINDS
from benchmark.suites.tripscore.judging.comparing import QUESTIONS, compared_case
from benchmark.suites.tripscore.judging.rubrics import RUBRICS, join_ratings
from benchmark.suites.tripscore.making.ordering import ORDER_FORM
from benchmark.suites.tripscore.methods.options import OPTIONS
from benchmark.suites.tripscore.metrics import GROUPS, METRICS
from benchmark.suites.tripscore.plans import PLANS
from benchmark.suites.tripscore.scoring.options import SCORING_OPTIONS
from benchmark.suites.tripscore.scoring.sessions import CODE_VERSION, PROFILES, score_session
from benchmark.suites.tripscore.tasks import STARTER, TASK_FILES, Task
from benchmark.suites.tripscore.tasks.listing import COLUMNS, FIELDS, SEARCH_KEYS
from benchmark.suites.tripscore.tasks.words import request_words
from benchmark.suites.tripscore.weights import WEIGHT_GRIDS
from sandbox.toolsets import NO_TOOLS

if TYPE_CHECKING:
    from benchmark.making import MakingSteps
    from benchmark.promptsets import PromptPart
    from benchmark.reports import Reporting
    from benchmark.reports.dataset import DatasetStatistics
    from benchmark.suites.base import Misses, PolicySeat, Training
    from benchmark.synthesis import Synthesis


def _policy_seat() -> PolicySeat[Task, None]:
    from benchmark.suites.tripscore.policy import POLICY_SEAT

    return POLICY_SEAT


def _misses() -> Misses[Task, None]:
    from benchmark.suites.tripscore.misses import MISSES

    return MISSES


def _cast() -> Cast:
    from benchmark.suites.tripscore.participants import CAST

    return CAST


def _steps() -> MakingSteps:
    from benchmark.suites.tripscore.making.steps import STEPS

    return STEPS


def _statistics() -> DatasetStatistics:
    from benchmark.suites.tripscore.statistics import STATISTICS

    return STATISTICS


def _reporting() -> Reporting:
    from benchmark.suites.tripscore.report import REPORTING

    return REPORTING


def _training() -> Training[Task, None]:
    from benchmark.suites.tripscore.training import TRAINING

    return TRAINING


def _synthesis() -> Synthesis:
    from benchmark.suites.tripscore.making.production import SYNTHESIS

    return SYNTHESIS


def _score_case(case: Mapping[str, Any], context: CaseContext) -> dict[str, Any]:
    from benchmark.suites.tripscore.scoring.cases import score_case

    return score_case(case, context)


def _case_fault(id_: object, field: str, reason: str) -> dict[str, Any]:
    return {"id": id_, "error": {"field": field, "reason": reason}}


def _prompts() -> Sequence[PromptPart]:
    from benchmark.suites.tripscore.prompts import PROMPT_PARTS

    return PROMPT_PARTS


SUITE: Suite[Task, None] = Suite(
    name="tripscore",
    title="TripScore",
    tasks=Tasks(
        files=TASK_FILES,
        id_key="id",
        fields=FIELDS,
        columns=COLUMNS,
        search_keys=SEARCH_KEYS,
        query=request_words,
        starter=STARTER,
        statistics=_statistics,
    ),
    play=Play(
        prompts=_prompts,
        kinds=KINDS,
        rules=RULES,
        opening=opening_step,
        cast=_cast,
        record=plan_record,
        toolset=NO_TOOLS.name,
        seat_knowledge=lambda setting, seat: setting.task,
        options=OPTIONS,
    ),
    scoring=Scoring(
        code_version=CODE_VERSION,
        profiles=PROFILES,
        score=score_session,
        metrics=METRICS,
        groups=GROUPS,
        options=SCORING_OPTIONS,
        join_ratings=join_ratings,
        misses=_misses,
    ),
    plans=PLANS,
    rating=Rating(RUBRICS, compared_case=compared_case, compared_by=QUESTIONS, weight_grids=WEIGHT_GRIDS),
    cases=Cases(_score_case, fault=_case_fault),
    reporting=_reporting,
    making=Making(synthesis=_synthesis, order_form=ORDER_FORM, steps=_steps),
    training=_training,
    policy_seat=_policy_seat,
)
