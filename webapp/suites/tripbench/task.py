"""What the page of a task shows."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from benchmark.suites.tripbench.tasks import Task
from benchmark.suites.tripbench.tasks.listing import STYLE_WORDS, SUBSET_WORDS, TIER_WORDS
from benchmark.suites.tripbench.tasks.task import Instruction
from benchmark.suites.tripbench.wording import request_words
from benchmark.suites.tripbench.wording.trips import trip_words
from benchmark.text.width import cut_to_width
from webapp.suites.tripbench.plans import page_language

_WIDEST_TITLE = 120
"""Of a trip in lists; a Chinese character is two wide."""


class ShownInstruction(NamedTuple):
    """words: what the user says. replaces: ids of what ends with it. fallback: what is said once it can't be met."""

    id: str
    words: str
    replaces: str
    is_vague: bool
    fallback: str


def title(task: Any) -> str:
    """The trip, as far as two lines take it."""
    return cut_to_width(task.query, _WIDEST_TITLE)


def context(task: Task) -> dict[str, Any]:
    """Its facts in words, and what its user comes to ask for."""
    return {
        "tier": _(TIER_WORDS[task.tier]),
        "subset": _(SUBSET_WORDS[task.subset]),
        "style": _(STYLE_WORDS[task.style]),
        "trip": trip_words(task.meta, page_language()),
        "nodes": [[_show(one, task) for one in node.instructions] for node in task.nodes],
    }


def _show(one: Instruction, task: Task) -> ShownInstruction:
    language = page_language()
    back = request_words(one.fallback, task, language) if one.fallback else ""
    return ShownInstruction(
        one.id, request_words(one, task, language), ", ".join(one.drops), one.is_vague, back
    )
