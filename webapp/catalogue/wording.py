"""Tasks in a line, by what lists know of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from benchmark.metrics import LEVEL
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import FieldKind, TaskField
from sandbox.worlds.records import OpeningHours
from webapp.catalogue.fields import ListedField
from webapp.catalogue.models import Task
from webapp.pages import pages_of
from webapp.wording.numbers import number_words


def task_title(task: Task) -> str:
    """What its benchmark calls it, else its id."""
    return pages_of(task.suite).task.title(task) or task.task_id


def difficulty_words(difficulty: str) -> str:
    """A level that a benchmark has in the reader's language; another word as it is."""
    for suite in SUITES:
        for own in suite_named(suite).tasks.fields:
            if own.key == LEVEL and difficulty in own.choices:
                return gettext(own.choices[difficulty])
    return difficulty


def level_words(levels: Mapping[str, int]) -> list[str]:
    """`6 easy`, `4 hard`: how many tasks there are of each difficulty."""
    return [f"{count:,} {difficulty_words(level)}" for level, count in levels.items()]


_PLACE_KINDS = {
    "attraction": gettext_lazy("sight"),
    "restaurant": gettext_lazy("restaurant"),
    "hotel": gettext_lazy("hotel"),
    "landmark": gettext_lazy("landmark"),
}


def place_kind_words(kind: str) -> str:
    """What a place is."""
    return str(_PLACE_KINDS.get(kind, kind))


def hours_words(hours: OpeningHours | None) -> str:
    """Opening hours in a few words: those of the first rule, and that other days differ; "" where none are known."""
    if hours is None:
        return ""
    if hours.always_open:
        return gettext("always open")
    if not hours.rules:
        return ""
    windows = ", ".join(f"{window.open}–{window.close}" for window in hours.rules[0].time_windows)
    words = windows or gettext("closed")
    return (
        gettext("%(hours)s, other hours on other days") % {"hours": words} if len(hours.rules) > 1 else words
    )


YES_OR_NO = {"yes": gettext_lazy("yes"), "no": gettext_lazy("no")}
_DIGITS = 2
"""Decimals of a number that is not whole."""


def cell_words(listed: ListedField, cell: Any) -> str:
    """What a field of the tasks of some benchmarks says, as a reader sees it."""
    return _words(listed.own.kind, listed.choices, cell)


def field_words(own: TaskField[Any], cell: Any) -> str:
    """What a field of one benchmark says, as a reader sees it."""
    return _words(own.kind, {key: gettext(words) for key, words in own.choices.items()}, cell)


def _words(kind: FieldKind, choices: Mapping[str, str], cell: Any) -> str:
    match kind:
        case "choice":
            return choices.get(cell, str(cell or ""))
        case "names":
            return ", ".join(map(str, cell or ()))
    if cell is None or cell == "":
        return "–"
    match kind:
        case "count":
            return number_words(cell, 0)
        case "some":
            return number_words(cell, 0) if cell else "–"
        case "number":
            return number_words(cell, 0 if float(cell).is_integer() else _DIGITS)
        case "flag":
            return str({**YES_OR_NO, **choices}["yes" if cell else "no"])
    return str(cell)
