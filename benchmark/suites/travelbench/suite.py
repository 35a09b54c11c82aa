"""TravelBench as Caravan asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmark.core.participant import Cast
from benchmark.suites.base import Suite
from benchmark.suites.travelbench.conversation.record import run_record
from benchmark.suites.travelbench.conversation.rules import RULES, TOOLSET, opening_step
from benchmark.suites.travelbench.events import KINDS
from benchmark.suites.travelbench.judging.comparing import compared_case
from benchmark.suites.travelbench.judging.rubric import RUBRIC
from benchmark.suites.travelbench.metrics import METRICS
from benchmark.suites.travelbench.records import RECORDS
from benchmark.suites.travelbench.scoring.sessions import SCORING
from benchmark.suites.travelbench.tasks import STARTER, TASK_FILES
from benchmark.suites.travelbench.tasks.listing import FACETS, task_columns

if TYPE_CHECKING:
    from benchmark.reports import Reporting
    from benchmark.reports.dataset import DatasetStatistics


def _reporting() -> Reporting:
    from benchmark.suites.travelbench.report import REPORTING

    return REPORTING


def _statistics() -> DatasetStatistics:
    from benchmark.suites.travelbench.statistics import STATISTICS

    return STATISTICS


def _cast() -> Cast:
    from benchmark.suites.travelbench.participants import CAST

    return CAST


SUITE = Suite(
    name="travelbench",
    title="TravelBench",
    kinds=KINDS,
    rules=RULES,
    files=TASK_FILES,
    list_columns=task_columns,
    opening=opening_step,
    cast=_cast,
    record=run_record,
    scoring=SCORING,
    metrics=METRICS,
    judging=RUBRIC,
    compared_case=compared_case,
    reporting=_reporting,
    statistics=_statistics,
    toolset=TOOLSET,
    facets=FACETS,
    columns=frozenset({"leaves"}),
    answer="words",
    contracts=False,
    starter=STARTER,
    records=RECORDS,
)
