"""TravelBench as Caravan asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmark.core.participant import Cast
from benchmark.suites.base import PROTOCOL, CaseContext, Cases, Making, Play, Rating, Scoring, Suite, Tasks
from benchmark.suites.travelbench.conversation.record import run_record
from benchmark.suites.travelbench.conversation.rules import RULES, TOOLSET, opening_step
from benchmark.suites.travelbench.events import KINDS
from benchmark.suites.travelbench.judging.comparing import compared_case
from benchmark.suites.travelbench.judging.rubric import RUBRIC
from benchmark.suites.travelbench.metrics import METRICS
from benchmark.suites.travelbench.records import RECORDS
from benchmark.suites.travelbench.scoring.sessions import CODE_VERSION, PROFILES, score_session
from benchmark.suites.travelbench.tasks import STARTER, TASK_FILES
from benchmark.suites.travelbench.tasks.listing import COLUMNS, FIELDS, SEARCH_KEYS

if TYPE_CHECKING:
    from benchmark.making import MakingSteps
    from benchmark.promptsets import PromptPart
    from benchmark.reports import Reporting
    from benchmark.reports.dataset import DatasetStatistics
    from benchmark.suites.base import Misses
    from benchmark.suites.travelbench.tasks.task import Task


def _reporting() -> Reporting:
    from benchmark.suites.travelbench.report import REPORTING

    return REPORTING


def _statistics() -> DatasetStatistics:
    from benchmark.suites.travelbench.statistics import STATISTICS

    return STATISTICS


def _misses() -> Misses[Task, None]:
    from benchmark.suites.travelbench.misses import MISSES

    return MISSES


def _cast() -> Cast:
    from benchmark.suites.travelbench.participants import CAST

    return CAST


def _score_case(case: Mapping[str, Any], _context: CaseContext) -> dict[str, Any]:
    from benchmark.suites.travelbench.golden import score_case

    return score_case(case)


def _steps() -> MakingSteps:
    from benchmark.suites.travelbench.making.steps import STEPS

    return STEPS


def _prompts() -> Sequence[PromptPart]:
    from benchmark.suites.travelbench.prompts import PROMPT_PARTS

    return PROMPT_PARTS


SUITE = Suite(
    name="travelbench",
    title="TravelBench",
    tasks=Tasks(
        files=TASK_FILES,
        fields=FIELDS,
        columns=COLUMNS,
        search_keys=SEARCH_KEYS,
        query=lambda task: task.query,
        starter=STARTER,
        statistics=_statistics,
    ),
    play=Play(
        prompts=_prompts,
        kinds=KINDS,
        rules=RULES,
        opening=opening_step,
        cast=_cast,
        record=run_record,
        toolset=TOOLSET,
        options=(PROTOCOL,),
    ),
    scoring=Scoring(
        code_version=CODE_VERSION,
        profiles=PROFILES,
        score=score_session,
        metrics=METRICS,
        misses=_misses,
    ),
    rating=Rating((RUBRIC,), answer="words", compared_case=compared_case),
    records=RECORDS,
    cases=Cases(_score_case),
    reporting=_reporting,
    making=Making(steps=_steps),
)
