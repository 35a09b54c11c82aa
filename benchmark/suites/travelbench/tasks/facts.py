"""What task files tell together (figures 4 to 7 of the paper), counted from the tasks themselves.

Places come from the descriptions of positions. The paper counts solvable tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from benchmark.suites.travelbench.tasks.context import age_group, place
from benchmark.suites.travelbench.tasks.listing import hours_of, root_of
from benchmark.suites.travelbench.tasks.task import Task

_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class NameCounts:
    """Counts by name, the most frequent first."""

    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.counts.values())

    def percent(self, name: str) -> float:
        """The share of one, in per cent; 0 where there is nothing to count."""
        return 100 * self.counts.get(name, 0) / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Facts:
    """tasks: by subtask. days: `weekday`, `weekend`. hours: windows of two hours. ages: of the profiles that
    tell one. provinces, cities: of the positions that are described; a city is the whole text.
    """

    tasks: NameCounts
    days: NameCounts
    hours: NameCounts
    intents: NameCounts
    provinces: NameCounts
    cities: NameCounts
    ages: NameCounts


def facts_of(tasks: Iterable[Task]) -> Facts:
    """The figures of some tasks."""
    every = list(tasks)
    places = [named_place for task in every if (named_place := place(task.context))]
    ages = [group for task in every if (group := age_group(task.user_profile))]
    return Facts(
        tasks=_count_names(task.subtask for task in every),
        days=_count_names(map(_day, every)),
        hours=_count_names(map(hours_of, every)),
        intents=_count_names(map(root_of, every)),
        provinces=_count_names(named_place.province for named_place in places),
        cities=_count_names(named_place.text for named_place in places),
        ages=_count_names(ages),
    )


def _day(task: Task) -> str:
    weekend = date.fromisoformat(task.time[:10]).weekday() >= _SATURDAY
    return "weekend" if weekend else "weekday"


def _count_names(names: Iterable[str]) -> NameCounts:
    return NameCounts(dict(Counter(names).most_common()))
