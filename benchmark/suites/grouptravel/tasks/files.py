"""The task files of GroupTravelBench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmark.core.events import RESEARCH
from benchmark.core.taskfiles import TaskFiles
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.inputs import LineProblem
from benchmark.suites.grouptravel.tasks.task import Task

_SHIPPED = Path(__file__).parent / "data"
STARTER = (_SHIPPED / "starter.jsonl", _SHIPPED / "starter_en.jsonl")
"""The Chinese tasks and the English ones, in the order of the catalogue."""
_RESERVED = {
    AGENT: "belongs to the agent",
    SIMULATOR: "belongs to the model that answers tool calls",
    RESEARCH: "stands for researchers, who see everything",
    "All": "means everybody",
}


def _inconsistent(task: Task, number: int) -> Iterator[LineProblem]:
    for user in task.users:
        if user in _RESERVED:
            message = f"the name {user} {_RESERVED[user]}; rename the user"
            yield LineProblem(number, f"user_preferences.{user}", message)
    for index, opening in enumerate(task.initial_messages):
        if opening.role not in task.users:
            yield LineProblem(
                number,
                f"initial_messages.{index}.role",
                f"{opening.role!r} has no entry in user_preferences ({', '.join(task.users)})",
            )


TASK_FILES = TaskFiles(Task.model_validate, _inconsistent)
