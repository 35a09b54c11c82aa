"""The tasks of a benchmark: how they are read, listed and begun with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from benchmark.core.taskfiles import HasId, TaskFiles
from benchmark.suites.base.fields import TaskColumn, TaskField, check_fields, check_keys
from benchmark.suites.base.lazy import Lazy

if TYPE_CHECKING:
    from benchmark.reports.dataset import DatasetStatistics
    from sandbox.worlds import World


class Task(HasId, Protocol):
    """What every benchmark's task has; the suite's own class adds the rest.

    users: the names of those who talk with the agent, in the order in which they are asked.
    """

    @property
    def language(self) -> str: ...

    @property
    def users(self) -> Sequence[str]: ...


T = TypeVar("T", bound=Task)


class Good(NamedTuple):
    """Something that must be for sale in a world. words: a msgid, in the plural; `%(a)s` and `%(b)s` stand for where.

    where: a city, or two. is_sold: whether a world sells it there.
    """

    words: str
    where: tuple[str, ...]
    is_sold: Callable[[World, tuple[str, ...]], bool]

    @property
    def names(self) -> dict[str, str]:
        """What fills the words."""
        return dict(zip("ab", self.where, strict=False))


class Needs(NamedTuple):
    """What a task needs of a world.

    cities: their names. sights: the city and name of each that somebody must see. ways: between two cities. goods:
    without which no plan can be right, even where the world answers no tool.
    """

    cities: Sequence[str] = ()
    sights: Sequence[tuple[str, str]] = ()
    ways: Sequence[tuple[str, str]] = ()
    goods: Sequence[Good] = ()


@dataclass(frozen=True)
class Tasks(Generic[T]):
    """The tasks of a benchmark."""

    files: TaskFiles[T]
    """How its files are read; they read a stored definition as well."""
    id_key: str = "task_id"
    """The key of the id in a task's definition."""
    fields: tuple[TaskField[T], ...] = ()
    """What lists show of a task, filter, sort and group by."""
    columns: tuple[TaskColumn, ...] = ()
    """What short lists of sessions have beside the title of a task, and what is told of a task in one line."""
    search_keys: tuple[str, ...] = ()
    """The keys of the fields that a search for tasks looks through, beside their ids."""
    query: Callable[[T], str] = lambda task: ""
    """What a task asks, as its page shows it; "" where it is not one text."""
    needs: Callable[[T], Needs] = lambda task: Needs()
    """What a task needs of a world; nothing where the world does not matter."""
    starter: Sequence[Path] = ()
    """The files of the tasks that come with Caravan."""
    statistics: Lazy[DatasetStatistics] | None = None
    """What is told of a set of tasks; None for nothing."""

    def __post_init__(self) -> None:
        check_fields(self.fields)
        check_keys(self.fields, (*self.search_keys, *(key for column in self.columns for key in column.keys)))
