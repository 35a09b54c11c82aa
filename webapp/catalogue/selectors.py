"""Reading the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q, QuerySet

from webapp.catalogue.fields import listed_fields
from webapp.catalogue.models import SEARCH_TEXT_LENGTH, Task, TaskImport

MOST_WORDS = 10
"""Words of a search that are looked at."""


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """What a list of tasks is narrowed to; empty means everything.

    find: words, as for `search`. suite: a benchmark's name. fields: what is wanted of fields, by their names in the
    table of tasks, as `ListedField.condition` takes it.
    """

    find: str = ""
    collection: str = ""
    suite: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


def definition_line(task: Task) -> bytes:
    """A task as a line of the published format, byte by byte as published files have it."""
    return json.dumps(task.definition, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"


def sessions_of(tasks: Iterable[Task]) -> dict[int, int]:
    """How many sessions there are of each of these tasks, by its key."""
    counted = Task.objects.filter(pk__in=[task.pk for task in tasks]).order_by()
    return dict(counted.annotate(n=Count("sessions")).values_list("pk", "n"))


def suites_in(collection: str) -> set[str]:
    """The benchmarks of the tasks of a collection."""
    return {
        *Task.objects.filter(collection__name=collection)
        .order_by()
        .values_list("suite", flat=True)
        .distinct()
    }


def tasks(wanted: TaskFilter | None = None) -> QuerySet[Task]:
    """Tasks in the order of their collections."""
    rows = Task.objects.select_related("collection__world")
    if wanted is None:
        return rows
    if wanted.suite:
        rows = rows.filter(suite=wanted.suite)
    if wanted.collection:
        rows = rows.filter(collection__name=wanted.collection)
    if wanted.find:
        rows = rows.filter(pk__in=search(wanted.find).order_by())
    known = listed_fields("tasks") if wanted.fields else {}
    for name, value in wanted.fields.items():
        rows = rows.filter(known[name].condition(value))
    return rows


def tasks_with_page() -> QuerySet[Task]:
    """The tasks that have a page: those of lists, and those that only run records tell of."""
    there = Q(brought_by=None) | Q(brought_by__complete=True)
    return Task.staged_too.select_related("collection__world", "brought_by").filter(there)


def versions(task: Task) -> list[Task]:
    """All versions of a task, the first one first."""
    first = task.first_id or task.pk
    task_versions = Task.staged_too.filter(Q(pk=first) | Q(first=first)).defer("definition")
    return list(task_versions.select_related("brought_by").order_by("version"))


def playable_tasks() -> QuerySet[Task]:
    """The tasks that sessions can be of: those of lists, and their earlier versions."""
    away = TaskImport.objects.filter(Q(complete=False) | Q(records=True))
    return Task.staged_too.exclude(brought_by__in=away)


def search(words: str, *, of_records: bool = False) -> QuerySet[Task]:
    """The tasks whose id, trip, group or difficulty holds every word; all of them for no word.

    of_records: also those that only run records tell of.
    """
    matching_tasks = (Task.staged_too if of_records else Task.objects).all()
    for word in words.replace("\0", "").lower().split()[:MOST_WORDS]:
        if len(word) > SEARCH_TEXT_LENGTH:  # no text that is looked through is so long
            return Task.objects.none()
        matching_tasks = matching_tasks.filter(found_by__contains=word)
    return matching_tasks


def first_tasks(search: QuerySet[Task], count: int) -> list[Task]:
    """The first tasks of a search, without their definitions. The search itself reads no row of the table."""
    return list(tasks().filter(pk__in=list(search.values_list("pk", flat=True)[:count])).defer("definition"))
