"""Where wishes clash."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmark.suites.grouptravel.preferences import Conflict, conflicts


def table(city="杭州市", sights=None, food=None, **constraints):
    return {
        "global_constraints": constraints,
        "city_specific_preferences": {city: {"attractions": sights or {}, "food": food or {}}},
    }


def kinds(one, other):
    return [c.kind for c in conflicts({"User1": one, "User2": other})]


def test_a_conflict_names_both_sides():
    found = conflicts(
        {"User1": table(food={"must_eat": ["火锅"]}), "User2": table(food={"avoid_eat": ["火锅"]})}
    )
    root = "city_specific_preferences.杭州市.food."
    assert found == [
        Conflict("food", "杭州市", "火锅", "User1", root + "must_eat", "User2", root + "avoid_eat")
    ]


@pytest.mark.parametrize(
    ("kind", "like", "dislike"),
    [
        ("food", {"food": {"prefer_eat": ["a"]}}, {"food": {"reject_eat": ["a"]}}),
        ("attraction_name", {"sights": {"must_visit": ["a"]}}, {"sights": {"reject_visit": ["a"]}}),
        (
            "attraction_category",
            {"sights": {"category_pref": {"positive": ["a"]}}},
            {"sights": {"category_pref": {"negative": ["a"]}}},
        ),
        ("transport", {"transport": {"must": ["a"]}}, {"transport": {"avoid": ["a"]}}),
        ("hotel", {"hotel_preference": {"prefer": ["a"]}}, {"hotel_preference": {"avoid": ["a"]}}),
    ],
)
def test_every_kind(kind, like, dislike):
    assert kinds(table(**like), table(**dislike)) == [kind]


def test_pairs_are_directed():
    one = table(food={"must_eat": ["a"], "avoid_eat": ["b"]})
    other = table(food={"must_eat": ["b"], "avoid_eat": ["a"]})
    assert [(c.liker, c.item) for c in conflicts({"User1": one, "User2": other})] == [
        ("User1", "a"),
        ("User2", "b"),
    ]


def test_nobody_conflicts_with_themselves():
    assert conflicts({"User1": table(food={"must_eat": ["a"], "reject_eat": ["a"]})}) == []


def test_only_in_the_same_city():
    assert kinds(table("杭州市", food={"must_eat": ["a"]}), table("苏州市", food={"avoid_eat": ["a"]})) == []


def test_kinds_do_not_mix():
    assert kinds(table(food={"must_eat": ["a"]}), table(sights={"reject_visit": ["a"]})) == []


def test_two_tiers_of_one_traveller_are_one_conflict_by_the_strongest():
    one, other = table(food={"prefer_eat": ["a"], "must_eat": ["a"]}), table(food={"avoid_eat": ["a"]})
    (found,) = conflicts({"User1": one, "User2": other})
    assert found.like_path.endswith("must_eat")


def test_misshapen_fields_have_no_items():
    assert (
        kinds(
            table(food={"must_eat": "火锅"}), table(food={"avoid_eat": ["火"], "reject_eat": [["x"], None]})
        )
        == []
    )


@pytest.mark.reference
def test_real_tasks_have_about_as_many_as_the_paper_counts(reference):
    counts: dict[str, list[int]] = {}
    for line in (
        (reference / "grouptravelbench" / "tasks_sample.jsonl").read_text(encoding="utf-8").splitlines()
    ):
        task = json.loads(line)
        tables = {user: entry["preference"] for user, entry in task["user_preferences"].items()}
        counts.setdefault(task["difficulty_type"], []).append(len(conflicts(tables)))
    means = Counter({level: sum(found) / len(found) for level, found in counts.items()})
    assert means["easy"] < means["medium"] < means["hard"]
