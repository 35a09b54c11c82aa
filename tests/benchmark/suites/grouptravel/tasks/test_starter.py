"""The twelve tasks that ship with the product, against the world that ships with it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import benchmark.suites.grouptravel.tasks
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from sandbox.worlds import World
from tests.benchmark.suites.grouptravel.tasks import claims

FILE = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data" / "starter.jsonl"
TASKS = [read.task for read in TASK_FILES.whole(FILE)]
CLUSTERS = ({"杭州市", "苏州市", "南京市"}, {"广州市", "深圳市", "佛山市"})

each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)


def test_twelve_tasks_of_every_size_length_and_difficulty() -> None:
    assert [task.task_id for task in TASKS] == [f"starter_{number:02}" for number in range(1, 13)]
    assert {claims.people(task) for task in TASKS} == {2, 3, 4, 5, 6}
    assert {len(task.metadata.cities) for task in TASKS} == {1, 2, 3}
    assert {task.days for task in TASKS} == {2, 3, 4, 5, 6, 7}
    assert {task.difficulty_type for task in TASKS} == {"easy", "medium", "hard"}
    assert {task.metadata.departure_city for task in TASKS} == {"北京市", "上海市", "武汉市"}
    assert len({task.metadata.group_name for task in TASKS}) == 12


def test_most_have_conflicts_and_some_clash_head_on() -> None:
    assert sum(bool(claims.clashes(task)) for task in TASKS) >= 9
    assert sum(bool(claims.head_on(task)) for task in TASKS) >= 4


def test_some_groups_have_a_refusal_that_no_compromise_lifts() -> None:
    def firm(task: Task) -> bool:
        yields = set(task.metadata.compromise_pattern)
        return any(not {clash.liker, clash.disliker} & yields for clash in claims.head_on(task))

    assert any(map(firm, TASKS))


def test_two_groups_bring_a_young_child() -> None:
    with_child = [task for task in TASKS if task.metadata.child_members]
    assert len(with_child) == 2
    for task in with_child:
        (child,) = task.metadata.child_members
        assert child.user not in task.user_preferences
        assert "随行儿童" in task.context
        assert "家庭" in task.metadata.group_tags


def test_dates_fall_on_weekends_mondays_and_holidays() -> None:
    days = [claims.dates(task) for task in TASKS]
    assert sum(any(day.isoweekday() == 1 for day in trip) for trip in days) >= 4
    assert {"2025-10-01", "2026-02-18", "2026-05-01"} <= {task.time for task in TASKS}
    assert len({trip[0].month for trip in days}) >= 8
    assert all("2025-09-01" <= task.time <= "2026-05-01" for task in TASKS)


def test_key_orders_differ() -> None:
    starts = Counter(task.users[0] for task in TASKS)
    assert starts["User1"] >= 2
    assert starts["User2"] >= 2


def test_the_demo_can_be_solved_by_compromise() -> None:
    """The first medium task is what a newcomer watches."""
    demo = next(task for task in TASKS if task.difficulty_type == "medium")
    assert claims.people(demo) in (3, 4)
    assert len(demo.metadata.cities) == 2
    assert demo.days in (3, 4)
    assert claims.head_on(demo)
    for clash in claims.head_on(demo):
        assert {clash.liker, clash.disliker} & set(demo.metadata.compromise_pattern)


@each_task
def test_figures_and_wording_agree(task: Task) -> None:
    assert task.difficulty_score == claims.difficulty(task)
    assert task.difficulty_type == claims.difficulty_type(task.difficulty_score)
    assert task.language == "zh"
    assert task.query == (
        f"{'、'.join(task.metadata.cities)}，{task.metadata.date}，{claims.people(task)}人的旅行计划"
    )
    for part in (task.metadata.departure_city, task.time, task.metadata.group_name):
        assert part in task.context
    assert any(set(task.metadata.cities) <= cluster for cluster in CLUSTERS)


@each_task
def test_flags_follow_the_pattern(task: Task) -> None:
    yielding = [user for user, card in task.user_preferences.items() if card.compromisable]
    assert sorted(yielding) == sorted(task.metadata.compromise_pattern)
    for card in task.user_preferences.values():
        assert list(card.preference["city_specific_preferences"]) == task.metadata.cities


@each_task
def test_everybody_opens_once_and_says_little(task: Task) -> None:
    assert [opening.role for opening in task.initial_messages] == sorted(task.users)
    for opening in task.initial_messages:
        assert 1 <= claims.count_revealed_fields(task, opening.role, opening.content) <= 3, opening.content
        assert not any("a" <= letter <= "z" or letter == "_" for letter in opening.content)
        assert len(opening.content) <= 90


@each_task
def test_every_name_is_in_the_world(task: Task, world: World) -> None:
    assert claims.unknown_names(task, world) == []


@each_task
def test_insisted_modes_exist(task: Task, world: World) -> None:
    assert claims.unreachable(task, world) == []


@each_task
def test_what_must_be_seen_opens_during_the_trip(task: Task, world: World) -> None:
    assert [name for name, open_on in claims.closed_at_times(task, world).items() if not any(open_on)] == []


def test_closing_days_matter(world: World) -> None:
    shut = [
        task.task_id
        for task in TASKS
        if any(not all(open_on) for open_on in claims.closed_at_times(task, world).values())
    ]
    assert len(shut) >= 5


@each_task
def test_budgets_pay_for_the_trip(task: Task, world: World) -> None:
    short = {user: ratio for user, ratio in claims.budget_ratios(task, world).items() if ratio < 1}
    assert short == {}


def test_not_all_budgets_are_generous(world: World) -> None:
    ratios = [ratio for task in TASKS for ratio in claims.budget_ratios(task, world).values()]
    assert sum(ratio < 1.15 for ratio in ratios) >= len(ratios) / 4
    assert max(ratios) < 2.5


@each_task
def test_nobody_contradicts_themselves(task: Task) -> None:
    for table in claims.tables(task).values():
        for wishes in table["city_specific_preferences"].values():
            food, sights = wishes["food"], wishes["attractions"]
            assert not {*food["must_eat"], *food["prefer_eat"]} & {*food["avoid_eat"], *food["reject_eat"]}
            assert not set(sights["must_visit"]) & set(sights["reject_visit"])
            assert not {*sights["category_pref"]["positive"]} & {*sights["category_pref"]["negative"]}
