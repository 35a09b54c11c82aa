"""What somebody came for, or will not have, weighs more than what everybody likes a little."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place, read_log
from benchmark.suites.grouptravel.agent.planning.plan import Planner

HOME, CITY, OTHER = "上海市", "武汉市", "长沙市"


def place(name: str, kind: str, category: str, step: int, city: str = CITY) -> Place:
    east = 114.3 if city == CITY else 112.9
    return Place(name, name, kind, category, city, (east + step / 500, 30.55), 4.5, 50.0, None, "07:00-22:00")


def world(*cities: str) -> list[Place]:
    """Parks and restaurants."""
    found = [place(f"{city[:2]}公园{n}", "attraction", "公园", n, city) for city in cities for n in range(12)]
    return found + [
        place(f"{city[:2]}饭店{n}", "restaurant", "湖北菜", n, city) for city in cities for n in range(8)
    ]


def plan_by_city(
    places: list[Place], wishes: dict[str, dict[str, Any]], days: int, cities: tuple[str, ...] = (CITY,)
) -> dict[str, Any]:
    """The itinerary of travellers with these wishes, by city, all of whom like parks."""
    known = Knowledge({city: {one.id: one for one in places if one.city == city} for city in cities})
    likes = {"category_pref": {"positive": ["公园"]}}
    tables = {
        user: {
            "city_specific_preferences": {
                city: {"attractions": likes | wish.get(city, {})} for city in cities
            }
        }
        for user, wish in wishes.items()
    }
    brief = Brief("", cities, days, date(2026, 4, 17), len(wishes), (), "zh")
    return Planner(brief, tables, tuple(tables), known, 0).plan().itinerary


def visits(itinerary: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    """(city, place, who)."""
    return [
        (segment["city"], one["location"], one["participants"])
        for day in itinerary["days"]
        for segment in day["city_segments"]
        for one in segment.get("activities", ())
        if one["type"] == "attraction"
    ]


@pytest.mark.parametrize("people", [2, 3, 4])
def test_a_whole_day_that_one_traveller_came_for_is_kept_free_of_what_all_like(people: int) -> None:
    places = [*world(CITY), place("江城欢乐谷", "attraction", "游乐园", 20)]
    wishes: dict[str, dict[str, Any]] = {f"User{n}": {} for n in range(1, people + 1)}
    wishes["User1"] = {CITY: {"must_visit": ["江城欢乐谷"]}}
    seen = visits(plan_by_city(places, wishes, 3))
    assert any(name == "江城欢乐谷" and (who == ["All"] or "User1" in who) for _, name, who in seen)


@pytest.mark.parametrize("people", [3, 4, 5])
def test_who_refuses_a_sight_is_not_taken_there_for_anothers_sake(people: int) -> None:
    places = [*world(CITY), place("江城公园", "attraction", "公园", 3)]
    wishes: dict[str, dict[str, Any]] = {f"User{n}": {} for n in range(1, people + 1)}
    wishes["User1"] = {CITY: {"must_visit": ["江城公园"]}}
    wishes["User2"] = {CITY: {"reject_visit": ["江城公园"]}}
    for _, name, who in visits(plan_by_city(places, wishes, 2)):
        assert name != "江城公园" or (who != ["All"] and "User2" not in who)


def test_a_city_that_people_came_for_gets_more_than_a_night() -> None:
    named = [f"楼{n}号" for n in range(8)]
    places = [*world(CITY, OTHER), *(place(name, "attraction", "建筑", n) for n, name in enumerate(named))]
    places = [one for one in places if one.kind != "attraction" or one.city == OTHER or one.name in named]
    wishes = {f"User{n}": {CITY: {"must_visit": named[2 * n - 2 : 2 * n]}} for n in range(1, 5)}
    seen = visits(plan_by_city(places, wishes, 4, (CITY, OTHER)))
    assert {name for city, name, _ in seen if city == CITY} >= set(named)


def test_nobody_gets_up_at_five_where_a_later_train_leaves_time_enough() -> None:
    log = [
        ToolEntry(
            "1",
            "travel_search_trains",
            {"origin": origin, "destination": destination, "date": day},
            json.dumps({"trains": [_train(origin, destination, start) for start in starts]}),
            False,
            "world",
        )
        for origin, destination, day, starts in (
            (HOME, CITY, "2026-04-17", (6 * 60 + 20, 8 * 60 + 10)),
            (CITY, HOME, "2026-04-18", (18 * 60,)),
        )
    ]
    known = read_log(log)
    known.places[CITY] = {
        one.id: one for one in world(CITY) if one.kind == "restaurant" or one.name[-1] in "123"
    }
    likes = {"attractions": {"category_pref": {"positive": ["公园"]}}}
    tables = {user: {"city_specific_preferences": {CITY: likes}} for user in ("User1", "User2")}
    brief = Brief(HOME, (CITY,), 2, date(2026, 4, 17), 2, (), "zh")
    days = Planner(brief, tables, tuple(tables), known, 0).plan().itinerary["days"]
    assert days[0]["city_segments"][0]["start_time"] == "08:10"


def _train(origin: str, destination: str, start: int) -> dict[str, Any]:
    return {
        "number": f"G{start}",
        "mode": "高铁",
        "from_station": f"{origin[:2]}站",
        "to_station": f"{destination[:2]}站",
        "depart": f"{start // 60:02d}:{start % 60:02d}",
        "arrive": f"{start // 60 + 1:02d}:{start % 60:02d}",
        "day_offset": 0,
        "duration_minutes": 60,
        "price": 100,
    }
