"""Statistics of a set of tasks (GroupTravelBench, appendix A.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from statistics import fmean, median

from benchmark.suites.grouptravel.statistics.items import LISTS
from benchmark.suites.grouptravel.statistics.task import SOURCES, Remark, TaskFigures, figures_of
from benchmark.suites.grouptravel.synthesis.difficulty import LEVELS
from benchmark.suites.grouptravel.tasks.task import Task

DAYS = ("2-3", "4-5", "6-7")
"""The durations of Table 8."""
OTHER = "other"
"""Days and numbers beyond the rows of Table 8."""
MOST_CONFLICTS = 20
"""Where Figure 5 puts all tasks with as many conflicts or more together."""


@dataclass(frozen=True)
class Dataset:
    """Any number of tasks, none too. What has no value of no tasks is None."""

    tasks: Sequence[TaskFigures]

    @classmethod
    def of(cls, tasks: Iterable[Task]) -> Dataset:
        """The statistics of tasks as `TASK_FILES` reads them."""
        return cls([figures_of(task) for task in tasks])

    def where(self, wanted: Callable[[TaskFigures], bool]) -> Dataset:
        """Those of some of the tasks."""
        return Dataset([task for task in self.tasks if wanted(task)])

    @cached_property
    def by_difficulty(self) -> dict[str, Dataset]:
        """Easy, medium and hard tasks, in this order."""
        return {name: self.where(lambda task, name=name: task.difficulty == name) for name in LEVELS}  # type: ignore[misc]

    # users and items (Table 9)

    @cached_property
    def tables(self) -> int:
        """Users with a preference table."""
        return sum(task.tables for task in self.tasks)

    @cached_property
    def items_by_user(self) -> list[int]:
        """The number of items of each user."""
        return [count for task in self.tasks for count in task.items.values()]

    @cached_property
    def items(self) -> int:
        """All items: entries of lists, budgets, and caps of intensity."""
        return sum(self.items_by_user)

    @cached_property
    def fields(self) -> dict[str, int]:
        """Items by list field."""
        return {name: sum(task.fields[name] for task in self.tasks) for name in LISTS}

    @cached_property
    def compromisable(self) -> int:
        """Users who may yield."""
        return sum(task.compromisable for task in self.tasks)

    @cached_property
    def budgets(self) -> list[float]:
        """The budgets of all users who have one, CNY."""
        return [budget for task in self.tasks for budget in task.budgets]

    @cached_property
    def coverage(self) -> dict[str, float | None]:
        """The share of users who have a budget, both caps of intensity, a negative item."""
        return {
            "budget": self._of_users(len(self.budgets)),
            "intensity": self._of_users(sum(task.with_intensity for task in self.tasks)),
            "negative_item": self._of_users(sum(task.with_negative for task in self.tasks)),
        }

    def _of_users(self, count: int) -> float | None:
        return count / self.tables if self.tables else None

    # conflicts (A.9.3, Figure 5)

    @cached_property
    def conflicts(self) -> list[int]:
        """The number of conflicts of each task, over ordered pairs of its users."""
        return [sum(task.conflicts.values()) for task in self.tasks]

    @cached_property
    def with_conflict(self) -> int:
        """Tasks with a conflict."""
        return sum(count > 0 for count in self.conflicts)

    @cached_property
    def by_source(self) -> dict[str, int]:
        """Conflicts by source."""
        return {source: sum(task.conflicts[source] for task in self.tasks) for source in SOURCES}

    @cached_property
    def tasks_by_source(self) -> dict[str, int]:
        """Tasks with a conflict of each source."""
        return {source: sum(task.conflicts[source] > 0 for task in self.tasks) for source in SOURCES}

    @cached_property
    def insisted(self) -> int:
        """Tasks in which one user must use a mode of transport that another refuses."""
        return sum(task.insisted > 0 for task in self.tasks)

    def conflict_buckets(self) -> dict[str, int]:
        """Tasks by their number of conflicts, as Figure 5: 0, 1, … and `20+`."""
        counts = Counter(min(count, MOST_CONFLICTS) for count in self.conflicts)
        return {_bucket(count): counts[count] for count in range(MOST_CONFLICTS + 1)}

    # groups, places and dates (Tables 5 and 8, Figure 4)

    @cached_property
    def archetypes(self) -> Counter[str]:
        """Tasks by the id of their archetype."""
        return Counter(task.archetype for task in self.tasks)

    def archetype_names(self) -> dict[str, str]:
        """What the tasks call each archetype, by id; the commonest name of several."""
        named: dict[str, Counter[str]] = {}
        for task in self.tasks:
            named.setdefault(task.archetype, Counter())[task.archetype_name] += 1
        return {key: names.most_common(1)[0][0] for key, names in named.items()}

    @cached_property
    def counts_by_size(self) -> dict[tuple[str, str, str], int]:
        """Table 8: tasks by dimension (users, cities or days), value and difficulty; only what there is."""
        counts: Counter[tuple[str, str, str]] = Counter()
        for task in self.tasks:
            counts["users", str(task.people), task.difficulty] += 1
            counts["cities", str(len(task.cities)), task.difficulty] += 1
            counts["days", duration(task.days), task.difficulty] += 1
        return dict(counts)

    @cached_property
    def destinations(self) -> Counter[str]:
        """Tasks by city of the trip."""
        return Counter(city for task in self.tasks for city in dict.fromkeys(task.cities))

    @cached_property
    def departures(self) -> Counter[str]:
        """Tasks by city of departure."""
        return Counter(task.departure for task in self.tasks)

    @cached_property
    def days(self) -> list[date]:
        """The day of departure of each task."""
        return [task.day for task in self.tasks]

    @cached_property
    def remarks(self) -> list[Remark]:
        """What is odd about the tasks."""
        return [remark for task in self.tasks for remark in task.remarks]


def duration(days: int | None) -> str:
    """The row of Table 8: `2-3`, `4-5` or `6-7`, else `other`."""
    if days is None or not 2 <= days <= 7:
        return OTHER
    first = days - days % 2
    return f"{first}-{first + 1}"


def mean(values: Sequence[float]) -> float | None:
    """The mean, None of nothing."""
    return fmean(values) if values else None


def middle(values: Sequence[float]) -> float | None:
    """The median, None of nothing."""
    return median(values) if values else None


def share(part: int, whole: int) -> float | None:
    """A share of 1, None of nothing."""
    return part / whole if whole else None


def _bucket(count: int) -> str:
    return str(count) if count < MOST_CONFLICTS else f"{MOST_CONFLICTS}+"


def spread(values: Sequence[float]) -> Mapping[str, float | None]:
    """The least, the most, the mean and the median."""
    return {
        "min": min(values, default=None),
        "max": max(values, default=None),
        "mean": mean(values),
        "median": middle(values),
    }
