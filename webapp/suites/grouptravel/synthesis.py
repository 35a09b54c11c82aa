"""What the pages of made tasks show of GroupTravelBench: a place of a preview, and the report of a set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.preferences import FIELD, conflicts, number, read
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from webapp.catalogue.wording import level_words
from webapp.pages import SynthesisPage
from webapp.suites.grouptravel.comparison import comparison_context
from webapp.suites.grouptravel.wording.statistics import archetype_words
from webapp.suites.grouptravel.wording.synthesis import HOLIDAYS, PLANNERS, fault_place, finding_words
from webapp.wording.numbers import number_words

MOST_TOLD = 100
"""Findings of one kind that a page tells one by one; the report has all of them."""


def place(figures: Mapping[str, Any]) -> dict[str, Any]:
    """A task of a preview as it will be in the set, and what validation made of it."""
    checks = {
        "slot": figures["slot"],
        "again": figures["again"],
        "removed": [(fault_place(user, path), item) for user, path, item in figures["removed"]],
        "flagged": figures["flagged"],
        "failures": [finding_words(why) for why in figures["failures"]],
    }
    if not figures["task"]:
        return checks
    task = TASK_FILES.task(figures["task"])
    tables = {user: card.preference for user, card in task.user_preferences.items()}
    return {
        **checks,
        **comparison_context(task),
        "definition": task,
        "group": archetype_words(task.metadata.group_id),
        "conflicts": len(conflicts(tables)),
        "proof": _proof(figures["proof"], task),
    }


def _proof(proof: Mapping[str, Any] | None, task: Task) -> dict[str, Any] | None:
    if proof is None:
        return None
    purses = [
        _purse(user, proof["costs"][user], number(read(card.preference, FIELD["avg_budget"])))
        for user, card in task.user_preferences.items()
    ]
    return {"planner": PLANNERS.get(proof["planner"], proof["planner"]), "gu": proof["gu"], "purses": purses}


def _purse(user: str, cost: float, budget: float | None) -> str:
    """What the plan that solves a task costs somebody."""
    given = {"user": user, "cost": number_words(cost, 0), "budget": number_words(budget, 0)}
    if budget is None:
        return _("%(user)s pays ¥%(cost)s") % given
    return _("%(user)s pays ¥%(cost)s of ¥%(budget)s") % given


def report(told: Mapping[str, Any]) -> dict[str, Any]:
    """What was made of a set, and what was not and why."""
    remarks = told["remarks"]
    failures = [finding_words(why) for why in remarks["failures"][:MOST_TOLD]]
    removed = told["removed"]
    return {
        "report": told,
        "notes": [finding_words(note) for note in remarks["notes"]],
        "failures": failures,
        "more_failures": len(remarks["failures"]) - len(failures),
        "removed": [
            (each["slot"], fault_place(each["user"], each["path"]), each["item"])
            for each in removed[:MOST_TOLD]
        ],
        "more_removed": max(0, len(removed) - MOST_TOLD),
        "flagged": sum(map(len, told["unreachable"].values())),
        "groups": [(archetype_words(group), told["by_archetype"].get(group, 0)) for group in ARCHETYPES],
        "levels": level_words(told["by_difficulty"]),
        "planners": [f"{PLANNERS.get(name, name)} {count}" for name, count in told["proofs"].items()],
        "holidays": [f"{HOLIDAYS.get(name, name)} {count}" for name, count in told["holidays"].items()],
    }


SYNTHESIS = SynthesisPage(words=finding_words, place=place, report=report)
