"""What lists of tasks show of one, and filter by."""

from __future__ import annotations

from datetime import date
from typing import Any

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Facet
from benchmark.suites.travelbench.tasks.context import place
from benchmark.suites.travelbench.tasks.task import Task

FEW_CALLS, MANY_CALLS = 2.0, 5.0
"""Where tasks of few, some and many expected tool calls are parted."""


def task_columns(task: Task) -> dict[str, Any]:
    """The columns of a task's row, and its facets."""
    here = place(task.context)
    facets = {
        "subtask": task.subtask,
        "intent": root_of(task),
        "hours": hours_of(task),
        "calls": calls_of(task),
    }
    return {
        "query": task.query,
        "departure_date": date.fromisoformat(task.time[:10]),
        "size": len(task.users),
        "city_count": int(here is not None),
        "cities": [here.text] if here else [],
        "language": task.language,
        "facets": {key: value for key, value in facets.items() if value},
    }


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


FACETS = (
    Facet(
        "subtask",
        _("Subtask"),
        {"single": _("single-turn"), "multi": _("multi-turn"), "unsolved": _("unsolvable")},
    ),
    Facet(
        "intent",
        _("Intent"),
        {
            "discovery": _("discovery"),
            "planning_and_decision": _("planning and decision"),
            "dynamic_information": _("dynamic information"),
            "application_interaction": _("application interaction"),
            "rules_and_policies": _("rules and policies"),
        },
    ),
    Facet(
        "hours",
        _("Time of day"),
        {f"{hour:02}-{hour + 2:02}": f"{hour:02}-{hour + 2:02}" for hour in range(0, 24, 2)},
    ),
    Facet(
        "calls",
        _("Expected tool calls"),
        {"few": _("fewer than 2"), "some": _("2 to 5"), "many": _("5 and more")},
    ),
)
