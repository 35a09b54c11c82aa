"""What the items of a study can be balanced over, and results be split by: fields that its benchmark declares."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from django.utils.translation import gettext

from benchmark.suites import suite_named
from benchmark.suites.base import FieldKind, TaskField
from webapp.catalogue.models import Task

LANGUAGE: Final = "language"
"""What every task has beside its benchmark's fields."""
_NAMED_KINDS: Final[tuple[FieldKind, ...]] = ("choice",)
_SPLIT_KINDS: Collection[FieldKind] = (*_NAMED_KINDS, "count", "some", "flag", "names")
_BALANCED_KINDS: Collection[FieldKind] = (*_SPLIT_KINDS, "text")
"""Kinds that many tasks have alike; names count by how many there are."""
MANY_NAMES: Final = 3


def stratum_labels(suite: str) -> dict[str, str]:
    """What items can be balanced over, by key, in words."""
    fields = _fields(suite, _BALANCED_KINDS)
    return {**{key: gettext(own.label) for key, own in fields.items()}, LANGUAGE: gettext("language")}


def stratum_of(task: Task, key: str) -> str:
    """The stratum of a task by one of `stratum_labels`; "" by none, and where it says nothing."""
    if key == LANGUAGE:
        return task.language
    own = _fields(task.suite, _BALANCED_KINDS).get(key)
    cell = task.stored_cell(own) if own else None
    if own and own.kind == "names":
        cell = len(cell or ())
    return "" if cell is None else str(cell)


def stratum_groups(suite: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """What tasks can be chosen by: the values that fields declare, as `KEY=VALUE` with words, under their fields."""
    return [
        (gettext(own.label), [(f"{key}={value}", gettext(words)) for value, words in own.choices.items()])
        for key, own in _fields(suite, _NAMED_KINDS).items()
        if own.choices
    ]


def value_words(suite: str, key: str, value: str) -> str:
    """A value of a field of tasks in words; one that no field declares as it is."""
    own = _fields(suite, _BALANCED_KINDS).get(key)
    return gettext(own.choices[value]) if own and value in own.choices else value


def slices_of(task: Task) -> Mapping[str, str]:
    """What results are split by: a task's words by key, without those that say nothing."""
    slices = {key: _slice(task.stored_cell(own)) for key, own in _fields(task.suite, _SPLIT_KINDS).items()}
    return {key: words for key, words in {**slices, LANGUAGE: task.language}.items() if words}


def _slice(cell: Any) -> str:
    if isinstance(cell, list | tuple):
        return str(len(cell)) if len(cell) < MANY_NAMES else f"{MANY_NAMES}+"
    return str(cell or "")


def _fields(suite: str, kinds: Collection[FieldKind]) -> dict[str, TaskField[Any]]:
    fields = suite_named(suite).tasks.fields
    return {own.key: own for own in fields if own.value is not None and own.kind in kinds}
