"""The tasks of a benchmark: how they are read, listed and begun with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from benchmark.core.taskfiles import HasId, TaskFiles
from benchmark.suites.base.lazy import Lazy

if TYPE_CHECKING:
    from benchmark.reports.dataset import DatasetStatistics


class Task(HasId, Protocol):
    """What every benchmark's task has; the suite's own class adds the rest.

    users: the names of those who talk with the agent, in the order in which they are asked.
    """

    @property
    def language(self) -> str: ...

    @property
    def users(self) -> Sequence[str]: ...


T = TypeVar("T", bound=Task)
TASK_COLUMNS = frozenset({"group", "difficulty", "size", "children", "conflicts", "days", "cities", "leaves"})
"""What tables show and filter by of the tasks of any benchmark that has it; `Tasks.list_columns` gives the values."""


class Facet(NamedTuple):
    """Something that lists filter a benchmark's tasks by, beside the columns that all tasks have.

    key: in the `facets` that `Tasks.list_columns` gives of a task. label: an English message id. values: what it can
    be, each with an English message id.
    """

    key: str
    label: str
    values: Mapping[str, str]


class Needs(NamedTuple):
    """What a task needs of a world.

    cities: their names. sights: the city and name of each that somebody must see. ways: between two cities.
    """

    cities: Sequence[str] = ()
    sights: Sequence[tuple[str, str]] = ()
    ways: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Tasks(Generic[T]):
    """The tasks of a benchmark."""

    files: TaskFiles[T]
    """How its files are read; they read a stored definition as well."""
    list_columns: Callable[[T], dict[str, Any]]
    """What lists show of a task and filter by, by column; below `facets` by own facets."""
    needs: Callable[[T], Needs] = lambda task: Needs()
    """What a task needs of a world; nothing where the world does not matter."""
    facets: tuple[Facet, ...] = ()
    """What lists filter by, beside the columns that all tasks have."""
    columns: frozenset[str] = TASK_COLUMNS
    """Which of the columns that tables offer its tasks have."""
    starter: Sequence[Path] = ()
    """The files of the tasks that come with Caravan."""
    statistics: Lazy[DatasetStatistics] | None = None
    """What is told of a set of tasks; None for nothing."""
