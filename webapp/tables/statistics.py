"""Statistics of the tasks that a table shows."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from benchmark.reports.dataset import DatasetStatistics
from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from sandbox.worlds import WorldError
from webapp.caches.selectors import cached_calls
from webapp.catalogue.models import Task, World
from webapp.catalogue.packs import pack_for_scores
from webapp.reports.page import ShownPart, shown_dataset
from webapp.reports.wording import dataset_words

MOST_TASKS = 5_000
"""Tasks that a page counts: about six seconds."""


@dataclass(frozen=True)
class TaskStatistics:
    """Statistics of tasks of one benchmark.

    suite: its name. left_out: tasks of benchmarks that it does not count. too_many: how many there are, where they
    are more than a page counts; then `dataset` is None. sets: the same by collection, where the tasks are of several.
    worlds: what scores need of the tasks' worlds, by name, where the benchmark tells of these.
    """

    suite: str
    statistics: DatasetStatistics
    dataset: Any
    left_out: int = 0
    too_many: int = 0
    sets: Mapping[str, Any] = field(default_factory=dict)
    worlds: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def parts(self) -> list[ShownPart]:
        """Its tables and figures."""
        return shown_dataset(
            self.statistics, self.dataset, dataset_words(self.suite), cached_calls(), self.sets, self.worlds
        )

    @property
    def title(self) -> str:
        """The name of the benchmark."""
        return suite_named(self.suite).title

    @property
    def counterparts(self) -> str:
        """What `Table 5` beside a heading means."""
        return dataset_words(self.suite).counterparts


def count_tasks(tasks: QuerySet[Task]) -> TaskStatistics:
    """The statistics of the tasks of the first benchmark that tells any of its own, in their order."""
    own = [name for name in SUITES if suite_named(name).tasks.statistics is not None]
    there = set(tasks.order_by().values_list("suite", flat=True).distinct())
    suite = next((name for name in own if name in there), DEFAULT_SUITE)
    make = suite_named(suite).tasks.statistics
    assert make is not None
    statistics = make()
    of_suite = tasks.filter(suite=suite)
    count = of_suite.count()
    left_out = tasks.count() - count if there - {suite} else 0
    if count > MOST_TASKS:
        return TaskStatistics(suite, statistics, None, left_out, count)
    rows = of_suite.only("definition", "suite").iterator(chunk_size=200)
    statistics_of_tasks = statistics.of(task.parsed_definition for task in rows)
    return TaskStatistics(
        suite,
        statistics,
        statistics_of_tasks,
        left_out,
        sets=_by_collection(statistics, of_suite),
        worlds=_worlds_of(suite, of_suite) if statistics.world_part else {},
    )


def _worlds_of(suite: str, tasks: QuerySet[Task]) -> dict[str, Any]:
    """What scores need of the worlds that tasks were made for, by name; without those whose file is gone.

    Of all worlds where none is named for these tasks.
    """
    found: dict[str, Any] = {}
    named = World.objects.filter(collections__in=tasks.order_by().values("collection")).distinct()
    for world in named or World.objects.all():
        with suppress(WorldError):
            found[world.name] = pack_for_scores(suite, world.pack)
    return found


def _by_collection(statistics: DatasetStatistics, tasks: QuerySet[Task]) -> dict[str, Any]:
    """The statistics of each collection, in the order in which they came; none for one alone."""
    if statistics.comparison_part is None:
        return {}
    named = tasks.order_by("collection_id").values_list("collection_id", "collection__name").distinct()
    if len(named) < 2:
        return {}
    return {
        name: statistics.of(
            task.parsed_definition for task in tasks.filter(collection=key).only("definition", "suite")
        )
        for key, name in named
    }
