"""What the page of a task shows."""

from __future__ import annotations

from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from benchmark.suites.travelbench.tasks.context import place
from benchmark.suites.travelbench.tasks.listing import SUBTASKS
from benchmark.suites.travelbench.tasks.task import Task
from webapp.suites.travelbench.wording.intents import intent_words
from webapp.wording.numbers import number_words

_LONGEST_TITLE = 60
"""Characters of a query in lists."""


def title(task: Any) -> str:
    """The query, as far as a line takes it."""
    return Truncator(task.query).chars(_LONGEST_TITLE)


def context(definition: Task) -> dict[str, Any]:
    """Its situation, and what only the user knows of it; why it can't be solved, where it can't."""
    here = place(definition.context)
    calls = definition.avg_tool_calls
    return {
        "subtask": _(SUBTASKS[definition.subtask]),
        "here": here.text if here else "",
        "intent_path": intent_words(definition.primary_intent),
        "causes": [_CAUSES[cause]() for cause in definition.causes],
        "expected": "" if calls is None else number_words(calls, 2),
    }


_CAUSES = {
    "missing_tool": lambda: _("no tool can do it"),
    "missing_info": lambda: _("the needed information is missing"),
    "no_actionable": lambda: _("the message makes no request"),
}
