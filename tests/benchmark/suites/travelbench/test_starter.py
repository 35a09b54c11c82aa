"""Our own tasks: whole, of all three subtasks, and answerable over the starter world where they should be."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmark.suites.travelbench.tasks import STARTER, TASK_FILES, Task
from benchmark.suites.travelbench.tasks.context import place, point
from sandbox.backends import WorldBackend
from sandbox.toolbox import Toolbox
from sandbox.toolbox.world import WorldAnswers
from sandbox.toolsets import TOOLSETS
from sandbox.toolsets.travelbench.places import NOTHING_FOUND
from sandbox.worlds import World

ANSWERS: dict[str, list[tuple[str, dict[str, Any]]]] = json.loads(
    (Path(__file__).parent / "starter_answers.json").read_text("utf-8")
)
"""Calls whose results answer each solvable task, by its id."""
FIELDS = (
    *("trace_id", "time", "query", "primary_intent", "context", "intent"),
    *("missing_tool", "missing_info", "no_actionable", "user_profile", "avg_tool_calls"),
)
ROOTS = {
    *("discovery", "planning_and_decision", "dynamic_information"),
    *("application_interaction", "rules_and_policies"),
}
ROWS = [one for file in STARTER for one in TASK_FILES.whole(file)]
TASKS = {one.task.task_id: one.task for one in ROWS}
SOLVABLE = [task for task in TASKS.values() if not task.causes]


def tools_of(task: Task, world: World) -> Toolbox:
    answers = WorldAnswers(WorldBackend(world, TOOLSETS["travelbench"]))
    return Toolbox(
        answers, "zh", toolset=TOOLSETS["travelbench"], strictness="strict", given={"time": task.time}
    )


def test_there_are_tasks_of_every_subtask_and_language() -> None:
    subtasks = Counter(task.subtask for task in TASKS.values())
    assert len(ROWS) == len(TASKS) >= 30
    assert all(subtasks[name] >= 10 for name in ("single", "multi", "unsolved"))
    assert {(task.subtask, task.language) for task in TASKS.values()} == {
        (subtask, language) for subtask in subtasks for language in ("zh", "en")
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.task.task_id)
def test_a_row_has_the_published_fields_in_their_order(row: Any) -> None:
    lacking = {"single": {"user_profile"}, "multi": set(), "unsolved": {"user_profile", "avg_tool_calls"}}
    assert list(row.raw) == [name for name in FIELDS if name not in lacking[row.task.subtask]]


def test_queries_are_each_asked_once() -> None:
    assert len({task.query for task in TASKS.values()}) == len(TASKS)


def test_unsolvable_tasks_have_one_cause_each_and_every_cause_occurs() -> None:
    causes = [task.causes for task in TASKS.values() if task.subtask == "unsolved"]
    assert {len(found) for found in causes} == {1}
    assert {name for (name,) in causes} == {"missing_tool", "missing_info", "no_actionable"}


def test_intents_are_paths_under_the_published_roots() -> None:
    paths = [task.primary_intent.split(".") for task in TASKS.values()]
    assert {len(path) for path in paths} == {2, 3}
    assert {path[0] for path in paths} == ROOTS


def test_times_are_full_hours_of_the_published_months() -> None:
    times = [datetime.fromisoformat(task.time) for task in TASKS.values()]
    assert all(time.minute == 0 for time in times)
    assert datetime(2025, 8, 14) <= min(times) <= max(times) < datetime(2025, 11, 29)


@pytest.mark.parametrize("task", SOLVABLE, ids=lambda task: task.task_id)
def test_a_solvable_task_is_answered_by_calls_over_the_starter_world(task: Task, world: World) -> None:
    calls = ANSWERS[task.task_id]
    outcomes = [tools_of(task, world).call(name, arguments) for name, arguments in calls]
    assert [(one.error, one.source) for one in outcomes] == [(False, "world")] * len(calls)
    assert NOTHING_FOUND not in [one.result for one in outcomes]
    assert task.avg_tool_calls == len(calls)


@pytest.mark.parametrize("task", SOLVABLE, ids=lambda task: task.task_id)
def test_the_user_of_a_solvable_task_stands_in_a_city_of_the_world(task: Task, world: World) -> None:
    here, where = place(task.context), point(task.context)
    assert here is not None and where is not None
    city = next(city for city in world.cities() if here.text.endswith(city.name))
    assert here.province == city.province
    latitude, longitude = where
    assert abs(latitude - city.latitude) < 1 and abs(longitude - city.longitude) < 1


def test_nobody_has_answers_to_tasks_that_there_are_not() -> None:
    assert set(ANSWERS) == {task.task_id for task in SOLVABLE}


def test_ids_are_none_of_the_published_ones_which_are_numbers() -> None:
    assert not any(task.trace_id.isdecimal() for task in TASKS.values())
