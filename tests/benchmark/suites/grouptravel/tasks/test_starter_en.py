"""The English tasks that ship with the product, against the world that ships with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import benchmark.suites.grouptravel.tasks
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from sandbox.worlds import World
from tests.benchmark.suites.grouptravel.tasks import claims

FILE = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data" / "starter_en.jsonl"
TASKS = [read.task for read in TASK_FILES.whole(FILE)]

each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)


def test_one_task_of_every_difficulty() -> None:
    assert [task.task_id for task in TASKS] == [f"starter_en_{number:02}" for number in (1, 2, 3)]
    assert [task.difficulty_type for task in TASKS] == ["easy", "medium", "hard"]
    assert {len(task.metadata.cities) for task in TASKS} == {1, 2, 3}


@each_task
def test_figures_and_wording_agree(task: Task) -> None:
    assert task.language == "en"
    assert task.difficulty_score == claims.difficulty(task)
    assert task.difficulty_type == claims.difficulty_type(task.difficulty_score)
    assert task.metadata.date in task.query and f"{claims.people(task)} people" in task.query
    assert all(f"({city})" in task.query for city in task.metadata.cities)
    for part in (task.metadata.departure_city, task.time, task.metadata.group_name):
        assert part in task.context


@each_task
def test_the_group_disagrees_and_some_may_yield(task: Task) -> None:
    assert claims.clashes(task)
    yielding = [user for user, card in task.user_preferences.items() if card.compromisable]
    assert sorted(yielding) == sorted(task.metadata.compromise_pattern) != []


@each_task
def test_everybody_opens_once_in_english(task: Task) -> None:
    assert [opening.role for opening in task.initial_messages] == sorted(task.users)
    for opening in task.initial_messages:
        assert 1 <= claims.count_revealed_fields(task, opening.role, opening.content) <= 4, opening.content
        assert not re.search("[，。？！：；、]", opening.content)


@each_task
def test_names_services_and_budgets_fit_the_world(task: Task, world: World) -> None:
    assert claims.unknown_names(task, world) == []
    assert claims.unreachable(task, world) == []
    assert [name for name, days in claims.closed_at_times(task, world).items() if not any(days)] == []
    assert {user: ratio for user, ratio in claims.budget_ratios(task, world).items() if ratio < 1} == {}
