"""Statistics of the tasks that a table shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from benchmark.reports.dataset import DatasetStatistics
from benchmark.suites import FIRST, SUITES, suite_named
from webapp.caches.selectors import cached_calls
from webapp.catalogue.models import Task
from webapp.reports.page import Shown, shown_dataset
from webapp.reports.wording import dataset_words

MOST_TASKS = 5_000
"""Tasks that a page counts: about six seconds."""


@dataclass(frozen=True)
class Counted:
    """Statistics of tasks of one benchmark.

    suite: its name. left_out: tasks of benchmarks that it does not count. too_many: how many there are, where they
    are more than a page counts; then `found` is None.
    """

    suite: str
    statistics: DatasetStatistics
    found: Any
    left_out: int = 0
    too_many: int = 0

    @cached_property
    def parts(self) -> list[Shown]:
        """Its tables and figures."""
        return shown_dataset(self.statistics, self.found, dataset_words(self.suite), cached_calls())

    @property
    def title(self) -> str:
        """The name of the benchmark."""
        return suite_named(self.suite).title

    @property
    def counterparts(self) -> str:
        """What `Table 5` beside a heading means."""
        return dataset_words(self.suite).counterparts


def counted(tasks: QuerySet[Task]) -> Counted:
    """The statistics of the tasks of the first benchmark that tells any of its own, in their order."""
    own = [name for name in SUITES if suite_named(name).statistics is not None]
    there = set(tasks.order_by().values_list("suite", flat=True).distinct())
    suite = next((name for name in own if name in there), FIRST)
    make = suite_named(suite).statistics
    assert make is not None
    statistics = make()
    of_suite = tasks.filter(suite=suite)
    count = of_suite.count()
    left_out = tasks.count() - count if there - {suite} else 0
    if count > MOST_TASKS:
        return Counted(suite, statistics, None, left_out, count)
    rows = of_suite.only("definition", "suite").iterator(chunk_size=200)
    return Counted(suite, statistics, statistics.of(task.parsed for task in rows), left_out)
