"""The columns of the table of tasks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from django.db.models import BigIntegerField, ExpressionWrapper, F
from django.utils.translation import get_language, gettext_lazy

from benchmark.suites import SUITES
from webapp.catalogue.fields import listed_fields
from webapp.catalogue.models import Task
from webapp.tables.columns import Column, column, whole
from webapp.tables.fields import field_column

FURTHER = 10**9
"""More lines than a collection has."""


def _collection(task: Task) -> str:
    return task.collection.name


_FIRST = (
    Column(
        "place",
        gettext_lazy("line"),
        "number",
        lambda task: task.position + 1,
        lambda task: whole(task.position + 1),
        low_first=True,
        by=ExpressionWrapper(F("collection_id") * FURTHER + F("position"), BigIntegerField()),
    ),
)
_LAST = (
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


def columns() -> Mapping[str, Column]:
    """All columns by key: those of the fields of all benchmarks between those that every task has."""
    return _columns(tuple(SUITES), get_language() or "")


@lru_cache(maxsize=20)
def _columns(_suites: tuple[str, ...], _language: str) -> Mapping[str, Column]:
    fields = [field_column(listed, listed.cell) for listed in listed_fields("tasks").values()]
    return {column.key: column for column in (*_FIRST, *fields, *_LAST)}


def usual(known: Mapping[str, Any], suites: Collection[str] = SUITES) -> list[str]:
    """The keys of the columns that are shown until somebody chooses, of tasks of these benchmarks."""
    own = [name for name, listed in listed_fields("tasks").items() if listed.is_usual_in(suites)]
    return [key for key in (*own, *(column.key for column in _LAST)) if key in known]
