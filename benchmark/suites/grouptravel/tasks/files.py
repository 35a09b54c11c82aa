"""The task files of GroupTravelBench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmark.core.events import RESEARCH
from benchmark.core.taskfiles import TaskFiles
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.inputs import LineProblem
from benchmark.remarks import Remark, gettext_noop
from benchmark.suites.grouptravel.tasks.task import Task

_SHIPPED_FOLDER = Path(__file__).parent / "data"
STARTER = (_SHIPPED_FOLDER / "starter.jsonl", _SHIPPED_FOLDER / "starter_en.jsonl")
"""The Chinese tasks and the English ones, in the order of the catalogue."""
_RESERVED_NAMES = {
    AGENT: gettext_noop("the name %(user)s belongs to the agent; rename the user"),
    SIMULATOR: gettext_noop(
        "the name %(user)s belongs to the model that answers tool calls; rename the user"
    ),
    RESEARCH: gettext_noop("the name %(user)s stands for researchers, who see everything; rename the user"),
    "All": gettext_noop("the name %(user)s means everybody; rename the user"),
}


def _inconsistent(task: Task, number: int) -> Iterator[LineProblem]:
    for user in task.users:
        if user in _RESERVED_NAMES:
            why = Remark(_RESERVED_NAMES[user], {"user": user})
            yield LineProblem.with_remark(number, f"user_preferences.{user}", why)
    for index, opening in enumerate(task.initial_messages):
        if opening.role not in task.users:
            why = Remark(
                gettext_noop("%(role)s has no entry in user_preferences (%(users)s)"),
                {"role": repr(opening.role), "users": ", ".join(task.users)},
            )
            yield LineProblem.with_remark(number, f"initial_messages.{index}.role", why)


TASK_FILES = TaskFiles(Task.model_validate, _inconsistent)
