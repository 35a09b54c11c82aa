"""What short lists of sessions show of a task beside its title, as its benchmark declares it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.utils.translation import gettext

from benchmark.metrics import LEVEL
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import TaskField
from webapp.catalogue.models import Task
from webapp.catalogue.wording import field_words, task_title
from webapp.wording.lists import join_items


class ShortColumn(NamedTuple):
    """A column of a short list. key: the first of its fields; "" for the tasks' ids, where nothing is declared."""

    key: str
    label: str


def short_columns(suites: Collection[str]) -> list[ShortColumn]:
    """The columns of a list of sessions of these benchmarks; one of ids where none of them declares any."""
    found: dict[str, ShortColumn] = {}
    for suite in (name for name in SUITES if name in suites):
        fields = _fields(suite)
        for column in suite_named(suite).tasks.columns:
            first = column.keys[0]
            found.setdefault(first, ShortColumn(first, gettext(column.label or fields[first].label)))
    return [*found.values()] or [ShortColumn("", gettext("task"))]


def short_cells(task: Task, columns: Sequence[ShortColumn] | None = None) -> list[str]:
    """What a task says in each of the columns, those of its benchmark where none are named."""
    own = {column.keys[0]: column.keys for column in suite_named(task.suite).tasks.columns}
    shown = short_columns([task.suite]) if columns is None else columns
    return [
        " · ".join(_words(task, own.get(column.key, ()))) if column.key else task.task_id for column in shown
    ]


def short_words(task: Task) -> str:
    """What a task says in the first column of its benchmark."""
    return short_cells(task)[0]


def task_words(task: Task) -> str:
    """A task in a line: its title, and all that its benchmark's columns say of it."""
    keys = [key for column in suite_named(task.suite).tasks.columns for key in column.keys]
    return " · ".join([task_title(task), *_words(task, keys)])


def task_level(task: Task) -> str:
    """How hard a task is; "" where its benchmark does not say."""
    return "".join(_words(task, [LEVEL])) if LEVEL in _fields(task.suite) else ""


def level_label(suite: str) -> str:
    """What a benchmark calls how hard its tasks are; where it does not say, that all tasks are one."""
    own = _fields(suite).get(LEVEL)
    return gettext(own.label) if own else gettext("tasks")


def search_hint() -> str:
    """What a search for tasks looks through, in words: the fields that the benchmarks name, and ids."""
    named = [(_fields(suite), suite_named(suite).tasks.search_keys) for suite in SUITES]
    labels = dict.fromkeys(gettext(fields[key].label) for fields, keys in named for key in keys)
    return gettext("%(fields)s or id") % {"fields": join_items(labels)} if labels else gettext("id")


def _fields(suite: str) -> dict[str, TaskField[Any]]:
    return {own.key: own for own in suite_named(suite).tasks.fields if own.value is not None}


def _words(task: Task, keys: Sequence[str]) -> Iterator[str]:
    fields = _fields(task.suite)
    for key in keys:
        cell = task.stored_cell(fields[key])
        if cell not in (None, "", [], ()):
            yield cell.isoformat() if isinstance(cell, date) else field_words(fields[key], cell)
