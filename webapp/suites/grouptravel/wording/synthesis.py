"""What is said of tasks that were made: findings of validation, skeletons that were given up, proofs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from benchmark.remarks import Remark, read_remark
from webapp.suites.grouptravel.wording.fields import path_label
from webapp.suites.grouptravel.wording.issues import type_words
from webapp.wording.lists import join_items
from webapp.wording.remarks import remark_words

PLANNERS = {
    "draft": _("its draft"),
    "frugal draft": _("its draft without costly wishes"),
    "frugal plan": _("its best plan without costly wishes"),
}
"""Which plan of the reference planner solves a task."""
HOLIDAYS = {
    "New Year's Day": _("New Year’s Day"),
    "Chinese New Year": _("Chinese New Year"),
    "Chinese New Year's Eve": _("Chinese New Year’s Eve"),
    "Tomb-Sweeping Day": _("Tomb-Sweeping Day"),
    "Labor Day": _("Labour Day"),
    "Dragon Boat Festival": _("Dragon Boat Festival"),
    "Mid-Autumn Festival": _("Mid-Autumn Festival"),
    "National Day": _("National Day"),
    "Day off": _("days off in lieu"),
}
_PATHS = ("path", "other")


def fault_place(user: str, path: str) -> str:
    """`User1: must eat in 杭州市`; the user alone where it is of the whole table."""
    return f"{user}: {path_label(path)}" if path else user


def finding_words(listed: Mapping[str, Any]) -> str:
    """A stored remark of synthesis, with fields and issues in words."""
    return remark_words(_in_words(read_remark(listed)))


def _in_words(remark: Remark) -> Remark:
    values: dict[str, object] = {}
    for name, value in remark.values.items():
        if isinstance(value, Remark):
            values[name] = _in_words(value)
        elif name in _PATHS:
            values[name] = path_label(str(value))
        elif name == "issues":
            values[name] = join_items(type_words(kind) for kind in str(value).split(", "))
        else:
            values[name] = value
    return Remark(remark.text, values)
