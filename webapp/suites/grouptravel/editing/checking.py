"""What is said of a task while it is written: difficulty, conflicts, and what a published task should not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from benchmark.suites.grouptravel.preferences import conflicts
from benchmark.suites.grouptravel.statistics.task import figures_of
from benchmark.suites.grouptravel.tasks import Task
from webapp.suites.grouptravel.comparison import conflict_matrix
from webapp.suites.grouptravel.wording.fields import path_label
from webapp.suites.grouptravel.wording.statistics import STATISTICS_WORDS


def checked(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Conflicts and their number whatever the rest is like; figures and remarks once it is a task."""
    tables = {user: card["preference"] for user, card in definition["user_preferences"].items()}
    clashes = conflicts(tables)
    return {
        "users": list(tables),
        "clashes": len(clashes),
        "matrix": conflict_matrix(list(tables), clashes),
        **_figures(definition),
    }


def _figures(definition: Mapping[str, Any]) -> dict[str, Any]:
    try:
        found = figures_of(Task.model_validate(definition))
    except ValidationError:
        return {}
    words = STATISTICS_WORDS.values["remark"]
    return {
        "figures": found,
        "items": sum(found.items.values()),
        "remarks": [
            (str(words[one.kind]), _place(one.field), one.item, one.expected) for one in found.remarks
        ],
    }


def _place(field: str) -> str:
    """`User1: must eat`; the path of a field of the task as it is."""
    head, dot, path = field.partition(".preference.")
    return (
        f"{head.rpartition('.')[2]}: {path_label(path)}" if dot else field.removeprefix("user_preferences.")
    )
