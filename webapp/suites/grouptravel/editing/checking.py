"""What is said of a task while it is written: difficulty, conflicts, and what a published task should not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from pydantic import ValidationError

from benchmark.suites.grouptravel.preferences import conflicts
from benchmark.suites.grouptravel.statistics.parts.remarks import KINDS
from benchmark.suites.grouptravel.statistics.task import figures_of
from benchmark.suites.grouptravel.synthesis.candidates import Candidates
from benchmark.suites.grouptravel.synthesis.review import review
from benchmark.suites.grouptravel.tasks import Task
from sandbox.worlds import World
from webapp.suites.grouptravel.comparison import conflict_matrix
from webapp.suites.grouptravel.wording.fields import path_label
from webapp.suites.grouptravel.wording.synthesis import fault_place
from webapp.wording.remarks import remark_words

CITIES_KEPT = 24
_cached_candidates: dict[tuple[str, str], Candidates] = {}


def check_context(definition: Mapping[str, Any]) -> dict[str, Any]:
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
        task_figures = figures_of(Task.model_validate(definition))
    except ValidationError:
        return {}
    return {
        "figures": task_figures,
        "items": sum(task_figures.items.values()),
        "remarks": [
            (_(KINDS[remark.kind]), _place(remark.field), remark.item, remark.expected)
            for remark in task_figures.remarks
        ],
    }


def review_remarks(task: Task, pack: World) -> list[tuple[str, str]]:
    """What post-validation says of it."""
    faults = review(task, pack, lambda city: _candidates(pack, city))
    return [(fault_place(fault.user, fault.path), remark_words(fault.message)) for fault in faults]


def _candidates(pack: World, city: str) -> Candidates:
    """Those of a city: a large one is read once, not with every letter that is typed."""
    place = pack.pack_hash, city
    if place not in _cached_candidates:
        if len(_cached_candidates) >= CITIES_KEPT:
            _cached_candidates.pop(next(iter(_cached_candidates)), None)
        _cached_candidates[place] = Candidates(pack, city)
    return _cached_candidates[place]


def _place(field: str) -> str:
    """`User1: must eat`; the path of a field of the task as it is."""
    head, dot, path = field.partition(".preference.")
    return (
        f"{head.rpartition('.')[2]}: {path_label(path)}" if dot else field.removeprefix("user_preferences.")
    )
