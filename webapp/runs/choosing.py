"""Which tasks a run is over."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from webapp.catalogue.models import Task
from webapp.catalogue.selectors import TaskFilter, tasks
from webapp.fields import NUL

_ID_SEPARATOR = re.compile(r"[\s,，、;；]+")


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """The tasks of these ids; without ids, those of a collection and a difficulty, where "" means any."""

    ids: tuple[str, ...] = ()
    collection: str = ""
    difficulty: str = ""

    @property
    def made(self) -> bool:
        """Whether anything was chosen."""
        return bool(self.ids or self.collection or self.difficulty)


@dataclass(frozen=True)
class ChosenTasks:
    """What a choice comes to. order: the ids that were pasted, each once. unknown_ids: ids that name no task."""

    tasks: QuerySet[Task]
    order: tuple[str, ...] = ()
    unknown_ids: tuple[str, ...] = ()

    @cached_property
    def count(self) -> int:
        """How many tasks there are."""
        return self.tasks.count()

    def in_order(self) -> list[Task]:
        """The tasks as they were pasted, else as they stand in their collections."""
        if not self.order:
            return list(self.tasks)
        by_id = {task.task_id: task for task in self.tasks}
        return [by_id[task_id] for task_id in self.order]


def ids_in(text: str) -> tuple[str, ...]:
    """Task ids, each once: one a line, or set apart by blanks and commas, which an id itself may hold too."""
    lines = list(filter(None, map(str.strip, text.splitlines())))
    whole = _tasks_by_id(lines)
    return tuple(
        dict.fromkeys(part for line in lines for part in ([line] if line in whole else _parts(line)))
    )


def _parts(line: str) -> list[str]:
    return [part for part in _ID_SEPARATOR.split(line) if part]


def _tasks_by_id(ids: Iterable[str]) -> dict[str, Task]:
    return Task.objects.only("pk").in_bulk([i for i in ids if NUL not in i], field_name="task_id")


def choose_tasks(choice: TaskChoice) -> ChosenTasks:
    """The tasks that a choice comes to: none while nothing is chosen."""
    if choice.ids:
        known = _tasks_by_id(choice.ids)
        order = tuple(i for i in choice.ids if i in known)
        unknown = tuple(i for i in choice.ids if i not in known)
        return ChosenTasks(tasks().filter(task_id__in=order), order, unknown)
    if not choice.made:
        return ChosenTasks(Task.objects.none())
    difficulty = choice.difficulty.replace(NUL, "")
    fields = {"difficulty": difficulty} if difficulty else {}
    return ChosenTasks(tasks(TaskFilter(collection=choice.collection.replace(NUL, ""), fields=fields)))
