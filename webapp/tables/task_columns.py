"""The columns of the table of tasks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from django.db.models import BigIntegerField, Case, ExpressionWrapper, F, When
from django.utils.translation import gettext_lazy

from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import TASK_COLUMNS
from webapp.catalogue.models import Task
from webapp.catalogue.wording import difficulty_words
from webapp.runs.figures import DIFFICULTIES
from webapp.tables.columns import Column, column, whole

FURTHER = 10**9
"""More lines than a collection has."""


def _collection(task: Task) -> str:
    return task.collection.name


def _cities(task: Task) -> str:
    return ", ".join(map(str, task.cities))


COLUMNS = (
    Column(
        "place",
        gettext_lazy("line"),
        "number",
        lambda task: task.position + 1,
        lambda task: whole(task.position + 1),
        low_first=True,
        by=ExpressionWrapper(F("collection_id") * FURTHER + F("position"), BigIntegerField()),
    ),
    column("group", gettext_lazy("group"), field="archetype"),
    Column(
        "difficulty",
        gettext_lazy("difficulty"),
        "number",
        lambda task: task.difficulty,
        lambda task: difficulty_words(task.difficulty),
        low_first=True,
        by=Case(*(When(difficulty=level, then=n) for n, level in enumerate(DIFFICULTIES)), default=None),
        aligned=False,
    ),
    column("size", gettext_lazy("travellers"), "number", whole),
    column("children", gettext_lazy("children"), "number", lambda n: whole(n) if n else "–"),
    column("conflicts", gettext_lazy("conflicts"), "number", whole),
    column("days", gettext_lazy("days"), "number", whole),
    Column("cities", gettext_lazy("cities"), "number", _cities, _cities, by=F("city_count"), aligned=False),
    column("leaves", gettext_lazy("date"), "date", date.isoformat, field="departure_date"),
    Column(
        "collection",
        gettext_lazy("collection"),
        "text",
        _collection,
        _collection,
        "collection__name",
        low_first=True,
    ),
    column("task", gettext_lazy("task"), field="task_id"),
)
USUAL = ("group", "difficulty", "conflicts", "children", "leaves", "collection", "task")


def columns() -> dict[str, Column]:
    """All columns by key."""
    return {column.key: column for column in COLUMNS}


def usual(known: Mapping[str, Any], suites: Collection[str] = SUITES) -> list[str]:
    """The keys of the columns that are shown until somebody chooses, of tasks of these benchmarks."""
    lacking = TASK_COLUMNS.difference(*(suite_named(name).tasks.columns for name in suites))
    return [key for key in USUAL if key in known and key not in lacking]
