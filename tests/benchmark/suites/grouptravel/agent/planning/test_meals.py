"""Where the planner eats."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.plan import Planner
from tests.benchmark.suites.grouptravel.agent.planning.fake_world import (
    CITIES,
    FakeToolbox,
    brief_of,
    converse,
    group,
)

CITY = "武汉市"
BRIEF = Brief("", (CITY,), 3, date(2026, 4, 17), 2, (), "zh")


def place(name: str, kind: str, category: str, step: int) -> Place:
    return Place(
        name, name, kind, category, CITY, (114.3 + step / 500, 30.55), 4.5, 50.0, None, "07:00-22:00"
    )


def meals(food: str, restaurants: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """(start, name) of the meals of two travellers who must eat `food`."""
    places = [place(name, "restaurant", category, n) for n, (name, category) in enumerate(restaurants)]
    places += [place(f"公园{n}", "attraction", "公园", n) for n in range(6)]
    known = Knowledge({CITY: {one.id: one for one in places}})
    wishes = {"food": {"must_eat": [food]}, "attractions": {"category_pref": {"positive": ["公园"]}}}
    tables = {user: {"city_specific_preferences": {CITY: wishes}} for user in ("User1", "User2")}
    plan = Planner(BRIEF, tables, tuple(tables), known, 0).plan()
    activities = (a for day in plan.itinerary["days"] for s in day["city_segments"] for a in s["activities"])
    return [(one["start_time"], one["location"]) for one in activities if one["type"] == "food"]


def test_cake_and_coffee_are_no_lunch_and_no_dinner() -> None:
    eaten = meals(
        "面包甜点",
        [("DQ(凯德店)", "面包甜点"), ("仟吉蛋糕", "面包甜点"), ("老村长", "湖北菜"), ("楚味", "湖北菜")],
    )
    cakes = [start for start, name in eaten if name in {"DQ(凯德店)", "仟吉蛋糕"}]
    assert cakes
    assert all(start < "11:00" or "14:00" <= start <= "16:30" for start in cakes)


def test_nobody_eats_at_one_chain_twice() -> None:
    branches = [(f"大牌档{mark}s({n}店)", "江浙菜") for n, mark in enumerate("'’'’'")]
    eaten = meals(
        "江浙菜",
        [*branches, ("外婆家", "江浙菜"), ("老村长", "湖北菜"), ("楚味", "湖北菜"), ("三五", "湖北菜")],
    )
    assert len(eaten) >= 4
    assert sum(name.startswith("大牌档") for _, name in eaten) == 1


TREATS = ("面包甜点", "咖啡厅", "茶馆", "小吃快餐", "面馆", "湖北菜")
"""Kinds to have in the morning, for lunch, in the afternoon and in the evening."""


def _minute(time: str) -> int:
    return 60 * int(time[:2]) + int(time[3:])


def meals_of(itinerary: dict[str, Any], user: str) -> Iterator[list[tuple[int, int]]]:
    """(start, end) of a traveller's meals, day by day."""
    for day in itinerary["days"]:
        activities = (a for s in day["city_segments"] for a in s.get("activities", ()))
        yield [
            (_minute(one["start_time"]), _minute(one["end_time"]))
            for one in activities
            if one["type"] == "food" and (one["participants"] == ["All"] or user in one["participants"])
        ]


def gourmets(tier: str) -> dict[str, Any]:
    """The itinerary of two travellers to whom all treats are in one tier."""
    places = [place(f"{kind}{n}", "restaurant", kind, n) for kind in TREATS for n in range(4)]
    places += [place(f"公园{n}", "attraction", "公园", n) for n in range(6)]
    known = Knowledge({CITY: {one.id: one for one in places}})
    wishes = {"food": {tier: list(TREATS)}, "attractions": {"category_pref": {"positive": ["公园"]}}}
    tables = {user: {"city_specific_preferences": {CITY: wishes}} for user in ("User1", "User2")}
    return Planner(BRIEF, tables, tuple(tables), known, 0).plan().itinerary


@pytest.mark.parametrize("tier", ["must_eat", "prefer_eat"])
def test_there_is_time_between_the_meals_of_those_who_like_everything(tier: str) -> None:
    for meals_of_day in meals_of(gourmets(tier), "User1"):
        assert len(meals_of_day) >= 2
        assert all(after[0] - before[1] >= 75 for before, after in pairwise(meals_of_day))


@pytest.mark.parametrize("seed", range(4))
def test_there_is_time_between_the_meals_of_every_traveller(seed: int) -> None:
    toolbox, people = FakeToolbox(seed, restaurants=40), 4
    tables = group(seed, people, CITIES[:1], toolbox)
    plan = converse(brief_of(CITIES[:1], 3, people), tables, tuple(tables), toolbox).plan
    for user in tables:
        for meals_of_day in meals_of(plan, user):
            ordered = sorted(meals_of_day)
            assert all(after[0] - before[1] >= 75 for before, after in pairwise(ordered))


def test_nobody_eats_a_fourth_time_because_they_like_it() -> None:
    assert all(len(meals_of_day) <= 3 for meals_of_day in meals_of(gourmets("prefer_eat"), "User1"))


def test_a_city_of_cakes_does_not_go_without_dinner() -> None:
    found = meals(
        "面包甜点",
        [*((f"饼屋{n}", "面包甜点") for n in range(30)), *((f"饭店{n}", "湖北菜") for n in range(6))],
    )
    assert sum(start >= "16:30" and not name.startswith("饼屋") for start, name in found) >= 2
