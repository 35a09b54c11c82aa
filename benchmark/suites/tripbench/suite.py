"""TRIP-Bench as Caravan asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmark.core.participant import Cast
from benchmark.core.setting import Check, Setting
from benchmark.suites.base import CaseContext, Cases, Making, Needs, Play, Scoring, Suite, Tasks
from benchmark.suites.tripbench.conversation.record import run_record
from benchmark.suites.tripbench.conversation.rules import RULES, TOOLSET, opening_step
from benchmark.suites.tripbench.events import KINDS
from benchmark.suites.tripbench.goods import goods_of
from benchmark.suites.tripbench.making.ordering import ORDER_FORM
from benchmark.suites.tripbench.metrics import GROUPS, METRICS
from benchmark.suites.tripbench.modes import OPTIONS
from benchmark.suites.tripbench.plan_view import PLANS
from benchmark.suites.tripbench.rating import RATING
from benchmark.suites.tripbench.scoring.options import SCORING_OPTIONS
from benchmark.suites.tripbench.scoring.sessions import PROFILES, score_session
from benchmark.suites.tripbench.scoring.turns import check_of
from benchmark.suites.tripbench.tasks import STARTER, TASK_FILES, Task
from benchmark.suites.tripbench.tasks.listing import COLUMNS, FIELDS, SEARCH_KEYS
from benchmark.suites.tripbench.turns import CODE_VERSION
from benchmark.suites.tripbench.wording.trips import trip_words
from sandbox.toolsets.tripbench.records import TripWorld
from sandbox.toolsets.tripbench.world import trip_world

if TYPE_CHECKING:
    from benchmark.promptsets import PromptPart
    from benchmark.reports import Reporting
    from benchmark.reports.dataset import DatasetStatistics
    from benchmark.suites.base import Misses, PolicySeat, Training
    from benchmark.synthesis import Synthesis


def _policy_seat() -> PolicySeat[Task, TripWorld]:
    from benchmark.suites.tripbench.policy import POLICY_SEAT

    return POLICY_SEAT


def _misses() -> Misses[Task, TripWorld]:
    from benchmark.suites.tripbench.misses import MISSES

    return MISSES


def _cast() -> Cast:
    from benchmark.suites.tripbench.participants import CAST

    return CAST


def _reporting() -> Reporting:
    from benchmark.suites.tripbench.report import REPORTING

    return REPORTING


def _statistics() -> DatasetStatistics:
    from benchmark.suites.tripbench.statistics import STATISTICS

    return STATISTICS


def _synthesis() -> Synthesis:
    from benchmark.suites.tripbench.making.production import SYNTHESIS

    return SYNTHESIS


def _training() -> Training[Task, TripWorld]:
    from benchmark.suites.tripbench.training import TRAINING

    return TRAINING


def _score_case(case: Mapping[str, Any], context: CaseContext) -> dict[str, Any]:
    from benchmark.suites.tripbench.scoring.cases import score_case

    return score_case(case, context)


def _case_fault(id_: object, field: str, reason: str) -> dict[str, Any]:
    return {"id": id_, "error": {"field": field, "reason": reason}}


def _needs(task: Task) -> Needs:
    """All cities of all its trips, and what must be for sale there and between them."""
    frames = [task.meta, *(one.frame for one in task.instructions.values() if one.frame is not None)]
    cities = dict.fromkeys(city for frame in frames for city in (frame.origin, *frame.destinations))
    return Needs([*cities], goods=goods_of(frames))


def _critic(setting: Setting[Task, TripWorld], seat: str) -> Check | None:
    """The rules' own: no seat may ask."""
    return None if seat else check_of(setting)


def _prompts() -> Sequence[PromptPart]:
    from benchmark.suites.tripbench.prompts import PROMPT_PARTS

    return PROMPT_PARTS


SUITE: Suite[Task, TripWorld] = Suite(
    name="tripbench",
    title="TRIP-Bench",
    tasks=Tasks(
        files=TASK_FILES,
        id_key="id",
        fields=FIELDS,
        columns=COLUMNS,
        search_keys=SEARCH_KEYS,
        query=lambda task: trip_words(task.meta, task.language),
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
        record=run_record,
        toolset=TOOLSET,
        options=OPTIONS,
        critic=_critic,
    ),
    scoring=Scoring(
        code_version=CODE_VERSION,
        profiles=PROFILES,
        score=score_session,
        metrics=METRICS,
        groups=GROUPS,
        options=SCORING_OPTIONS,
        world=trip_world,
        misses=_misses,
    ),
    plans=PLANS,
    rating=RATING,
    reporting=_reporting,
    cases=Cases(_score_case, fault=_case_fault),
    making=Making(synthesis=_synthesis, order_form=ORDER_FORM),
    policy_seat=_policy_seat,
    training=_training,
)
