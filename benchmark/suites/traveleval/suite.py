"""TravelEval as Caravan asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmark.core.participant import Cast
from benchmark.suites.base import CaseContext, Cases, Making, Needs, Play, Rating, Scoring, Suite, Tasks
from benchmark.suites.traveleval.conversation.rules import RULES, opening_step, plan_record
from benchmark.suites.traveleval.events import KINDS
from benchmark.suites.traveleval.itineraries import PLANS
from benchmark.suites.traveleval.judging.rubric import RUBRIC
from benchmark.suites.traveleval.making.ordering import ORDER_FORM
from benchmark.suites.traveleval.metrics import GROUPS, METRICS
from benchmark.suites.traveleval.options import OPTIONS, SCORING_OPTIONS
from benchmark.suites.traveleval.scoring.sessions import CODE_VERSION, PROFILES, score_session
from benchmark.suites.traveleval.tasks import STARTER, TASK_FILES, Query
from benchmark.suites.traveleval.tasks.listing import COLUMNS, FIELDS, SEARCH_KEYS
from benchmark.suites.traveleval.world import tables_of

if TYPE_CHECKING:
    from benchmark.making import MakingSteps
    from benchmark.promptsets import PromptPart
    from benchmark.reports import Reporting
    from benchmark.reports.dataset import DatasetStatistics
    from benchmark.suites.base import Misses
    from benchmark.suites.traveleval.world import Tables
    from benchmark.synthesis import Synthesis


def _misses() -> Misses[Query, Tables]:
    from benchmark.suites.traveleval.misses import MISSES

    return MISSES


def _cast() -> Cast:
    from benchmark.suites.traveleval.participants import CAST

    return CAST


def _statistics() -> DatasetStatistics:
    from benchmark.suites.traveleval.statistics import STATISTICS

    return STATISTICS


def _reporting() -> Reporting:
    from benchmark.suites.traveleval.report import REPORTING

    return REPORTING


def _steps() -> MakingSteps:
    from benchmark.suites.traveleval.making.steps import STEPS

    return STEPS


def _synthesis() -> Synthesis:
    from benchmark.suites.traveleval.making.production import SYNTHESIS

    return SYNTHESIS


def _score_case(case: Mapping[str, Any], context: CaseContext) -> dict[str, Any]:
    from benchmark.suites.traveleval.scoring.cases import score_case

    return score_case(case, context)


def _needs(task: Query) -> Needs:
    ends = (task.start_city, task.target_city)
    return Needs(cities=ends, ways=(ends, ends[::-1]))


def _prompts() -> Sequence[PromptPart]:
    from benchmark.suites.traveleval.prompts import PROMPT_PARTS

    return PROMPT_PARTS


SUITE = Suite(
    name="traveleval",
    title="TravelEval",
    tasks=Tasks(
        files=TASK_FILES,
        fields=FIELDS,
        columns=COLUMNS,
        search_keys=SEARCH_KEYS,
        query=lambda task: task.words,
        needs=_needs,
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
        options=OPTIONS,
        seat_knowledge=lambda setting, seat: setting.task,
    ),
    scoring=Scoring(
        code_version=CODE_VERSION,
        profiles=PROFILES,
        score=score_session,
        metrics=METRICS,
        groups=GROUPS,
        options=SCORING_OPTIONS,
        world=tables_of,
        misses=_misses,
    ),
    plans=PLANS,
    rating=Rating((RUBRIC,)),
    cases=Cases(_score_case, needs=frozenset({"profile", "world", "tasks"})),
    reporting=_reporting,
    making=Making(synthesis=_synthesis, order_form=ORDER_FORM, steps=_steps),
)
