"""The published sample, and six tasks over the ten-city data: both need the reference data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from sandbox.worlds import World, open_world
from sandbox.worlds.china10 import ImportReport
from tests import ROOT
from tests.benchmark.suites.grouptravel.tasks import claims

TASKS = [read.task for read in TASK_FILES.whole(ROOT / "tests" / "data" / "china10_tasks.jsonl")]

each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)


@pytest.fixture(scope="module")
def sample(reference: Path) -> Path:
    return reference / "grouptravelbench" / "tasks_sample.jsonl"


@pytest.fixture(scope="module")
def world(ten_cities: ImportReport) -> World:
    return open_world(ten_cities.path)


@pytest.mark.reference
def test_the_published_sample_loads_as_it_is(sample: Path) -> None:
    lines = sample.read_text("utf-8").splitlines()
    read = TASK_FILES.whole(sample)
    assert len(read) == 15
    for item, line in zip(read, lines, strict=True):
        assert json.dumps(item.raw, ensure_ascii=False) == line


@pytest.mark.reference
def test_the_published_order_of_users_is_kept(sample: Path) -> None:
    by_id = {item.task.task_id: item.task for item in TASK_FILES.whole(sample)}
    assert by_id["task_004329"].users == ["User2", "User1", "User3"]
    assert by_id["task_002860"].users == ["User1", "User2", "User3", "User4", "User5"]
    assert list(by_id["task_004329"].cards()) == ["User2", "User1", "User3"]


@pytest.mark.reference
def test_the_difficulty_scales_fit_the_published_scores(sample: Path) -> None:
    tasks = [item.task for item in TASK_FILES.whole(sample)]
    assert [claims.difficulty(task) for task in tasks] == [task.difficulty_score for task in tasks]
    assert [claims.difficulty_type(task.difficulty_score) for task in tasks] == [
        task.difficulty_type for task in tasks
    ]


def test_six_tasks_of_mixed_size_and_difficulty() -> None:
    assert [task.task_id for task in TASKS] == [f"china10_{number:02}" for number in range(1, 7)]
    assert {claims.people(task) for task in TASKS} == {2, 3, 4, 5, 6}
    assert {task.difficulty_type for task in TASKS} == {"easy", "medium", "hard"}
    assert [len(task.metadata.cities) for task in TASKS].count(3) == 1
    assert sum(bool(task.metadata.child_members) for task in TASKS) == 1


@each_task
def test_figures_agree(task: Task) -> None:
    assert task.difficulty_score == claims.difficulty(task)
    assert task.difficulty_type == claims.difficulty_type(task.difficulty_score)
    yielding = [user for user, card in task.user_preferences.items() if card.compromisable]
    assert sorted(yielding) == sorted(task.metadata.compromise_pattern)
    for opening in task.initial_messages:
        assert 1 <= claims.count_revealed_fields(task, opening.role, opening.content) <= 3, opening.content


@pytest.mark.reference
@pytest.mark.slow
def test_every_claim_holds_against_the_ten_cities(world: World) -> None:
    for task in TASKS:
        assert claims.unknown_names(task, world) == []
        assert claims.unreachable(task, world) == []
        assert all(map(any, claims.closed_at_times(task, world).values()))
        assert min(claims.budget_ratios(task, world).values()) >= 1
