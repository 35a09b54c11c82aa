"""GroupTravelBench as Caravan asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmark.core.participant import Cast
from benchmark.suites.base import Making, Play, Rating, Scoring, Suite, Tasks, Training
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.conversation.scenarios import converse_all
from benchmark.suites.grouptravel.events import KINDS
from benchmark.suites.grouptravel.itineraries.plans import PLANS
from benchmark.suites.grouptravel.judging.comparing import compared_case
from benchmark.suites.grouptravel.judging.rubric import RUBRIC
from benchmark.suites.grouptravel.metrics import METRICS
from benchmark.suites.grouptravel.options import OPTIONS
from benchmark.suites.grouptravel.records import RECORDS
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.files import score_file
from benchmark.suites.grouptravel.scoring.profile import CODE_VERSION, PROFILES
from benchmark.suites.grouptravel.scoring.sessions import score_session
from benchmark.suites.grouptravel.tasks import STARTER, TASK_FILES, Task
from benchmark.suites.grouptravel.tasks.listing import COLUMNS, FIELDS, SEARCH_KEYS, needs

if TYPE_CHECKING:
    from benchmark.promptsets import PromptPart
    from benchmark.reports import Reporting
    from benchmark.reports.dataset import DatasetStatistics
    from benchmark.suites.base import Misses, PolicySeat
    from benchmark.synthesis import Synthesis


def _reporting() -> Reporting:
    from benchmark.suites.grouptravel.report import REPORTING

    return REPORTING


def _synthesis() -> Synthesis:
    from benchmark.suites.grouptravel.synthesis.production import files_beside, produce, sample
    from benchmark.suites.grouptravel.synthesis.profiles import read_profiles
    from benchmark.suites.grouptravel.synthesis.review import reviewer
    from benchmark.suites.grouptravel.synthesis.skeletons import FIRST_DAY, LAST_DAY
    from benchmark.synthesis import Synthesis

    return Synthesis(produce, sample, files_beside, reviewer, (FIRST_DAY, LAST_DAY), read_profiles)


def _statistics() -> DatasetStatistics:
    from benchmark.suites.grouptravel.statistics.parts import STATISTICS

    return STATISTICS


def _policy_seat() -> PolicySeat[Task, Catalogue]:
    from benchmark.suites.grouptravel.policy import POLICY_SEAT

    return POLICY_SEAT


def _misses() -> Misses[Task, Catalogue]:
    from benchmark.suites.grouptravel.misses import MISSES

    return MISSES


def _cast() -> Cast:
    from benchmark.suites.grouptravel.participants import CAST

    return CAST


def _prompts() -> Sequence[PromptPart]:
    from benchmark.suites.grouptravel.prompts import PROMPT_PARTS

    return PROMPT_PARTS


SUITE = Suite(
    name="grouptravel",
    title="GroupTravelBench",
    tasks=Tasks(
        files=TASK_FILES,
        fields=FIELDS,
        columns=COLUMNS,
        search_keys=SEARCH_KEYS,
        query=lambda task: task.query,
        needs=needs,
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
        toolset="grouptravel",
        options=OPTIONS,
        converse=converse_all,
    ),
    scoring=Scoring(
        code_version=CODE_VERSION,
        profiles={name: profile.averaging for name, profile in PROFILES.items()},
        score=score_session,
        metrics=METRICS,
        world=lambda pack: Catalogue(pack.catalogue()),
        file=score_file,
        misses=_misses,
    ),
    plans=PLANS,
    rating=Rating((RUBRIC,), compared_case=compared_case),
    records=RECORDS,
    reporting=_reporting,
    making=Making(synthesis=_synthesis),
    policy_seat=_policy_seat,
    training=lambda: Training(gate="pv", reward="gu", is_conversation=True),
)
