"""What is counted of tasks, real ones and odd ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.suites.grouptravel.statistics import Dataset, statistics_json
from benchmark.suites.grouptravel.statistics.dataset import duration
from benchmark.suites.grouptravel.statistics.items import broken_encoding
from benchmark.suites.grouptravel.statistics.task import figures_of
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from tests.benchmark.suites.grouptravel.statistics.sets import CITY, table, task


def remarks(one: Task) -> list[tuple[str, str]]:
    return [(remark.kind, remark.item) for remark in figures_of(one).remarks]


@pytest.mark.reference
def test_the_statistics_of_the_published_sample_to_the_item(reference: Path) -> None:
    expected = json.loads((reference / "synthesis" / "stats_expected.json").read_text("utf-8"))
    read = TASK_FILES.whole(reference / "grouptravelbench" / "tasks_sample.jsonl")
    found = statistics_json(Dataset.of(item.task for item in read))
    assert len(found["tasks"]) == len(expected["tasks"]) == 15
    for ours, theirs in zip(found["tasks"], expected["tasks"], strict=True):
        assert {key: ours[key] for key in theirs} == theirs
    assert {key: found["all"][key] for key in expected["all"]} == expected["all"]


@pytest.mark.reference
def test_the_published_sample_is_not_odd(reference: Path) -> None:
    read = TASK_FILES.whole(reference / "grouptravelbench" / "tasks_sample.jsonl")
    assert statistics_json(Dataset.of(item.task for item in read))["remarks"] == []


def test_items_are_entries_of_lists_and_each_cap() -> None:
    one = table(
        transport={"must": ["高铁"], "avoid": ["飞机", "自驾"]},
        hotel={"prefer": ["舒适型"]},
        attractions={"must_visit": ["西湖"], "reject_visit": []},
        categories={"negative": ["博物馆"]},
        food={"must_eat": ["杭帮菜"], "reject_eat": ["火锅"]},
    )
    found = figures_of(task(one, table(budget=0, sights=None, hours=None)))
    assert found.items == {"User1": 3 + 3 + 1 + 1 + 1 + 2, "User2": 0}
    assert {name: count for name, count in found.fields.items() if count} == {
        "transport.must": 1,
        "transport.avoid": 2,
        "hotel.prefer": 1,
        "attractions.must_visit": 1,
        "attractions.negative": 1,
        "food.must_eat": 1,
        "food.reject_eat": 1,
    }
    assert (found.budgets, found.with_intensity, found.with_negative) == ([2000], 1, 1)


def test_a_user_with_one_cap_of_intensity_is_not_covered() -> None:
    found = figures_of(task(table(hours=None), table()))
    assert (found.items["User1"], found.with_intensity) == (2, 1)


def test_missing_levels_and_lists_hold_nothing() -> None:
    found = figures_of(task({"global_constraints": {"avg_budget": 900}}, {"city_specific_preferences": {}}))
    assert found.items == {"User1": 1, "User2": 0}
    assert ("empty_table", "") in [(remark.kind, remark.item) for remark in found.remarks]


@pytest.mark.parametrize(
    ("lists", "kind", "shown"),
    [
        ({"must_eat": "火锅"}, "no_list", "'火锅'"),
        ({"must_eat": ["火锅", 7]}, "no_text", "7"),
        ({"must_eat": ["火锅", " "]}, "no_text", "' '"),
        ({"must_eat": ["火锅", "火锅"]}, "twice", "火锅"),
        ({"must_eat": ["火锅"], "avoid_eat": ["火锅"]}, "two_tiers", "火锅"),
        ({"must_eat": ["ç\x81«é\x94\x85"]}, "broken_encoding", "ç\x81«é\x94\x85"),
    ],
)
def test_what_is_odd_in_a_list_is_told(lists: dict[str, Any], kind: str, shown: str) -> None:
    assert remarks(task(table(food=lists), table())) == [(kind, shown)]


def test_an_item_in_two_tiers_counts_in_both_and_clashes_once() -> None:
    both = table(food={"must_eat": ["火锅"], "prefer_eat": ["火锅"]})
    found = figures_of(task(both, table(food={"avoid_eat": ["火锅"], "reject_eat": ["火锅"]})))
    assert (found.fields["food.must_eat"], found.fields["food.prefer_eat"]) == (1, 1)
    assert found.conflicts["food"] == 1


def test_ones_own_contradiction_is_no_conflict() -> None:
    torn = table(food={"must_eat": ["火锅"], "reject_eat": ["火锅"]})
    assert sum(figures_of(task(torn, table())).conflicts.values()) == 0


def test_conflicts_are_counted_over_ordered_pairs_in_the_same_city() -> None:
    wants = table(food={"must_eat": ["火锅"]}, hotel={"prefer": ["豪华型"]})
    shuns = table(food={"avoid_eat": ["火锅"]}, hotel={"avoid": ["豪华型"]})
    elsewhere = table(food={"avoid_eat": ["火锅"]}, city="苏州市")
    found = figures_of(task(wants, wants, shuns, elsewhere, cities=[CITY, "苏州市"]))
    assert (found.conflicts["food"], found.conflicts["hotel"]) == (2, 2)


def test_a_mode_that_one_must_use_and_another_refuses() -> None:
    must, prefers = table(transport={"must": ["飞机"]}), table(transport={"prefer": ["飞机"]})
    refuses, avoids = table(transport={"reject": ["飞机"]}), table(transport={"avoid": ["飞机"]})
    assert Dataset.of([task(must, refuses), task(must, avoids), task(prefers, refuses)]).insisted == 1


@pytest.mark.parametrize("value", ["3000", True, -5, [3000]])
def test_a_budget_that_is_no_number_above_zero_counts_as_none(value: Any) -> None:
    found = figures_of(task(table(budget=value), table()))
    assert (found.items["User1"], found.budgets) == (2, [2000])
    assert [remark.kind for remark in found.remarks] == ["no_number"]


def test_children_count_in_the_group_and_have_no_table() -> None:
    found = figures_of(
        task(
            table(),
            table(),
            child_members=[{"user": "User3", "role": "幼儿"}],
            group_id="3-5",
            difficulty_score=1.5,
        )
    )
    assert (found.people, found.tables, found.remarks) == (3, 2, ())


@pytest.mark.parametrize(
    ("given", "remark"),
    [
        ({"group_id": "9-9"}, ("unknown_archetype", "9-9")),
        ({"group_id": ""}, ("unknown_archetype", "")),
        ({"group_id": "3-1"}, ("other_size", "3-1")),
        ({"difficulty_score": 4.0}, ("other_score", "4.0")),
        ({"difficulty_score": 0.0}, ("no_score", "")),
        ({"difficulty_type": "hard"}, ("other_type", "hard")),
        ({"date": "十天九夜"}, ("beyond_scales", "2, 10, 1")),
        ({"date": "soon"}, ("beyond_scales", "2, ?, 1")),
        ({"departure_city": CITY}, ("departs_from_destination", CITY)),
        ({"compromise_pattern": ["User1"]}, ("other_pattern", "User1")),
        ({"cities": ["苏州市"]}, ("foreign_city", CITY)),
    ],
)
def test_what_is_odd_about_a_task_is_told(given: dict[str, Any], remark: tuple[str, str]) -> None:
    assert remark in remarks(task(table(), table(), **given))


def test_a_task_without_a_score_has_that_of_the_formula() -> None:
    assert figures_of(task(table(), table(), difficulty_score=0.0)).score == 1.0
    assert figures_of(task(table(), table(), difficulty_score=0.0, date="soon")).score is None


def test_no_tasks_have_no_figures() -> None:
    found = statistics_json(Dataset([]))
    assert found["all"]["budget"] == {"min": None, "max": None, "mean": None, "median": None}
    assert found["all"]["conflicts_mean"] is None
    assert found["all"]["dates"] == {"first": None, "last": None, "by_month": {}}
    assert {one["ratio"] for one in found["compared"]} == {None}
    json.dumps(found)


def test_figure_5_puts_twenty_conflicts_and_more_together() -> None:
    many = [f"菜{number}" for number in range(25)]
    wants, shuns = table(food={"must_eat": many}), table(food={"reject_eat": many})
    found = Dataset.of([task(wants, shuns), task(table(), table())]).conflict_buckets()
    assert (found["0"], found["19"], found["20+"], sum(found.values())) == (1, 0, 1, 2)


def test_durations_are_the_rows_of_table_8() -> None:
    assert [duration(days) for days in (None, 1, 2, 3, 4, 5, 6, 7, 8)] == [
        *("other", "other", "2-3", "2-3", "4-5", "4-5", "6-7", "6-7", "other"),
    ]


def test_broken_encodings_are_told_from_names() -> None:
    names = ("联通", "火锅", "Café", "豆花/豆腐脑", "W酒店", "珠江琶醍", "naïve", "Hôtel de l'Œuvre")
    assert not any(map(broken_encoding, names))
    broken = "火锅".encode()
    assert all(
        map(
            broken_encoding,
            (broken.decode("latin-1"), "火\ufffd", "火\x7f", "川菜".encode().decode("gbk"), "西\ue000"),
        )
    )
