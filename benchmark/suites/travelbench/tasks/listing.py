"""What lists of tasks show of one, and filter by."""

from __future__ import annotations

from datetime import date

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Place, TaskColumn, TaskField
from benchmark.suites.travelbench.tasks.context import place
from benchmark.suites.travelbench.tasks.task import Task

FEW_CALLS, MANY_CALLS = 2.0, 5.0
"""Where tasks of few, some and many expected tool calls are parted."""


def root_of(task: Task) -> str:
    """The first part of the intent's path."""
    return task.primary_intent.partition(".")[0]


def hours_of(task: Task) -> str:
    """The window of two hours in which a task is set: `10-12`."""
    hour = int(task.time[11:13]) // 2 * 2
    return f"{hour:02}-{hour + 2:02}"


def calls_of(task: Task) -> str:
    """How many tool calls several models made: few, some, many; "" where nobody says."""
    if task.avg_tool_calls is None:
        return ""
    if task.avg_tool_calls < FEW_CALLS:
        return "few"
    return "some" if task.avg_tool_calls < MANY_CALLS else "many"


def _cities(task: Task) -> list[str]:
    here = place(task.context)
    return [here.text] if here else []


SUBTASKS = {"single": _("single-turn"), "multi": _("multi-turn"), "unsolved": _("unsolvable")}
INTENTS = {
    "discovery": _("discovery"),
    "planning_and_decision": _("planning and decision"),
    "dynamic_information": _("dynamic information"),
    "application_interaction": _("application interaction"),
    "rules_and_policies": _("rules and policies"),
}
_HOURS = {f"{hour:02}-{hour + 2:02}": f"{hour:02}-{hour + 2:02}" for hour in range(0, 24, 2)}
_CALLS = {"few": _("fewer than 2"), "some": _("2 to 5"), "many": _("5 and more")}
_OF_TASKS: tuple[Place, ...] = ("tasks",)
_FOUND_BY: tuple[Place, ...] = ("tasks", "groups")
FIELDS: tuple[TaskField[Task], ...] = (
    TaskField(
        "size", _("travellers"), "count", lambda task: len(task.users), column="size", places=_OF_TASKS
    ),
    TaskField("cities", _("cities"), "names", _cities, column="cities", places=_OF_TASKS),
    TaskField(
        "leaves",
        _("date"),
        "date",
        lambda task: date.fromisoformat(task.time[:10]),
        usual=True,
        column="departure_date",
        places=_OF_TASKS,
    ),
    TaskField(
        "subtask",
        _("Subtask"),
        "choice",
        lambda task: task.subtask,
        SUBTASKS,
        filtered=True,
        places=_FOUND_BY,
    ),
    TaskField("intent", _("Intent"), "choice", root_of, INTENTS, filtered=True, places=_FOUND_BY),
    TaskField("hours", _("Time of day"), "choice", hours_of, _HOURS, filtered=True, places=_FOUND_BY),
    TaskField("calls", _("Expected tool calls"), "choice", calls_of, _CALLS, filtered=True, places=_FOUND_BY),
)
COLUMNS = (TaskColumn(("leaves",)),)
"""What short lists show beside the title."""
SEARCH_KEYS = ("cities", "leaves")
"""What a search looks through beside the ids."""
