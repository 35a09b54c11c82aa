"""A sandbox that answers from a cache knows less than a world: what the planner makes of the gaps."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.gather import second_stage, third_stage
from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, read_log
from benchmark.suites.grouptravel.agent.planning.limits import (
    BrokenLimit,
    Spending,
    broken_limits,
    spendings,
)
from benchmark.suites.grouptravel.agent.planning.moves import sentence
from benchmark.suites.grouptravel.agent.planning.plan import Planner
from benchmark.suites.grouptravel.agent.planning.skeleton import drives
from benchmark.suites.grouptravel.agent.planning.spots import spots_of

HOME, CITY = "上海市", "杭州市"
LAKE = {"id": "a1", "name": "西湖", "kind": "attraction", "city": CITY, "location": "120.1446,30.2478"}
BUND = {"id": "b1", "name": "外滩", "kind": "attraction", "city": HOME, "location": "121.49,31.24"}


def brief(people: int = 3) -> Brief:
    return Brief(HOME, (CITY,), 2, date(2025, 11, 3), people, (), "zh")


def entry(tool: str, arguments: dict[str, Any], result: object) -> ToolEntry:
    return ToolEntry("1", tool, arguments, json.dumps(result, ensure_ascii=False), False, "cache")


def search(city: str, *pois: object) -> ToolEntry:
    return entry("search_poi", {"keywords": "景点", "city": city}, {"total": len(pois), "pois": pois})


def drive(origin: str, destination: str) -> ToolEntry:
    ends = {"origin": origin, "destination": destination, "mode": "driving"}
    return entry("plan_route", ends, {"distance_m": 180_000, "duration_minutes": 131, "cost": 200.0})


def lake_on_monday(detail: dict[str, Any]) -> object:
    known = read_log([search(CITY, LAKE), entry("get_poi_detail", {"id": "a1"}, LAKE | detail)])
    return spots_of(brief(), CITY, (), known, Atlas())[0].windows[0]


def test_hours_in_words_hold_where_a_detail_has_no_others() -> None:
    rules = {"rules": [{"time_windows": [{"open": "10:00", "close": "16:00"}]}]}
    assert lake_on_monday({"opening_hours": None, "opening_text": "09:00-17:00"}) == ((540, 1020),)
    assert lake_on_monday({"opening_hours": None, "opening_text": "周二至周日 09:00-17:00"}) == ()
    assert lake_on_monday({"opening_hours": rules, "opening_text": "09:00-17:00"}) == ((600, 960),)
    assert lake_on_monday({"opening_hours": None, "opening_text": None}) is None


def test_a_drive_takes_and_costs_what_the_tool_told_whatever_was_learnt_since() -> None:
    way = drive("121.490000,31.240000", "120.144600,30.247800")
    first = LAKE | {"id": "a0", "location": "120.2,30.3"}
    for log in (
        [search(HOME, BUND), search(CITY, LAKE), way],
        [search(CITY, first, LAKE), way, search(HOME, BUND)],
    ):
        for one in drives(brief(), read_log(log), HOME, CITY):
            assert (one.duration, one.price) == (135, round(200 / 3, 1))
        assert drives(brief(6), read_log(log), HOME, CITY)[0].price == round(2 * 200 / 6, 1)


def test_a_drive_is_guessed_where_no_tool_told_it() -> None:
    known = read_log([search(HOME, BUND), search(CITY, LAKE)])
    assert 150 < drives(brief(), known, HOME, CITY)[0].duration < 240


def arguments_of(calls: list[Any], tool: str) -> list[dict[str, Any]]:
    return [call.arguments for call in calls if call.name == tool]


def test_a_city_that_no_geocoder_knows_is_found_by_its_sights() -> None:
    """It is no destination, so that nothing else is searched there."""
    known = read_log([search(CITY, LAKE)])
    searches = arguments_of(second_stage(brief(), (), known, ()), "search_poi")
    assert [each["city"] for each in searches] == [HOME]
    found = read_log([search(CITY, LAKE), search(HOME, BUND)])
    ends = {
        (way["origin"], way["destination"])
        for way in arguments_of(third_stage(brief(), (), found), "plan_route")
    }
    assert ("121.490000,31.240000", "120.144600,30.247800") in ends
    assert second_stage(brief(), (), Knowledge(points={HOME: (121.4, 31.2), CITY: (120.1, 30.2)}), ())


def sentence_after(*entries: ToolEntry, tables: dict[str, Any] | None = None) -> str:
    plan = Planner(brief(), tables or {}, ("User1",), read_log([search(CITY, LAKE), *entries]), 0).plan()
    return sentence(brief(), plan, broken=tuple(broken_limits(plan.itinerary, tables or {}, ["User1"])))


def test_who_is_driven_for_want_of_trains_is_told_so() -> None:
    def train(origin: str, destination: str, day: str) -> ToolEntry:
        row = {"mode": "高铁", "number": "G1", "depart": "09:00", "arrive": "10:00", "price": 73.0}
        ends = {"origin": origin, "destination": destination}
        return entry("travel_search_trains", ends | {"date": day}, ends | {"trains": [row]})

    there, back = train(HOME, CITY, "2025-11-03"), train(CITY, HOME, "2025-11-04")
    assert f"没有查到{HOME}到{CITY}、{CITY}到{HOME}的火车" in sentence_after()
    assert f"没有查到{CITY}到{HOME}的火车" in sentence_after(there)
    assert "自驾" not in sentence_after(there, back)
    transport = {"must": [], "prefer": ["自驾"], "avoid": [], "reject": []}
    liked = {"User1": {"global_constraints": {"transport": transport}, "city_specific_preferences": {}}}
    assert "自驾" not in sentence_after(tables=liked)


def wishing(budget: float, must: list[str], reject: list[str]) -> dict[str, Any]:
    transport = {"must": must, "prefer": [], "avoid": [], "reject": reject}
    return {
        "User1": {
            "global_constraints": {"avg_budget": budget, "transport": transport},
            "city_specific_preferences": {},
        }
    }


def rail() -> list[ToolEntry]:
    """One high-speed train each way, and nothing else."""
    ways = [(HOME, CITY, "2025-11-03"), (CITY, HOME, "2025-11-04")]
    row = {"mode": "高铁", "number": "G1", "depart": "09:00", "arrive": "10:00", "price": 73.0}
    ends = [{"origin": origin, "destination": destination} for origin, destination, _ in ways]
    return [
        entry("travel_search_trains", end | {"date": day}, end | {"trains": [row]})
        for end, (_, _, day) in zip(ends, ways, strict=True)
    ]


@pytest.mark.parametrize(
    ("must", "reject", "overruled"),
    [
        (["高铁"], [], False),
        (["火车"], [], True),
        ([], ["高铁"], True),
        (["高铁"], ["飞机"], False),
        ([], [], False),
    ],
)
def test_whoever_is_overruled_on_the_journey_is_told_so(
    must: list[str], reject: list[str], overruled: bool
) -> None:
    texts = sentence_after(*rail(), tables=wishing(9000, must, reject))
    assert ("大交通没能照顾到User1的要求。" in texts) is overruled


@pytest.mark.parametrize(("budget", "dear"), [(100, True), (9000, False), (0, False)])
def test_whoever_cannot_pay_the_journey_and_the_nights_is_told_so(budget: float, dear: bool) -> None:
    texts = sentence_after(*rail(), tables=wishing(budget, [], []))
    assert ("超出预算的有User1（约400元，说好最多100元）。" in texts) is dear


def test_what_a_plan_costs_beside_the_journey_and_the_nights_is_told() -> None:
    def activity(kind: str, cost: float, *who: str) -> dict[str, Any]:
        return {"type": kind, "location": "某处", "avg_cost": cost, "participants": list(who)}

    leg = {"type": "intercity_transport", "from_city": HOME, "to_city": CITY, "avg_cost": 100}
    own = [
        activity("hotel", 200),
        activity("food", 50, "All"),
        activity("food", 30, "User2"),
        activity("attraction", 60, "User1"),
        activity("intracity_transport", 12, "All"),
    ]
    day = {"day": 1, "date": "2025-11-03", "city_segments": [leg, {"city": CITY, "activities": own}]}
    spent = spendings({"days": [day]}, ["User1", "User2"])
    assert spent == [Spending(350, 72), Spending(380, 12)]
    plan = Planner(brief(), {}, ("User1", "User2"), read_log([search(CITY, LAKE), *rail()]), 0).plan()
    texts = sentence(brief(), plan, spent=spent)
    assert "加上餐费，计入预算的每人约350到380元；门票和市内交通不计入预算，每人另约12到72元。" in texts
    english = sentence(replace(brief(), language="en"), plan, spent=spent[:1])
    assert "With meals, about 350 yuan each count against your budgets;" in english
    assert "local transport come to about 72 yuan more each." in english


def test_whose_limits_a_plan_breaks_is_told() -> None:
    broken = [
        BrokenLimit("User1", "hours_a_day", 8, 10),
        BrokenLimit("User2", "hours_a_day", 7, 9),
        BrokenLimit("User2", "sights_a_day", 2, 3),
    ]
    plan = Planner(brief(), {}, ("User1", "User2"), read_log([search(CITY, LAKE), *rail()]), 0).plan()
    texts = sentence(brief(), plan, broken=broken)
    assert "最满的一天有3个景点，比User2说的多。" in texts
    assert "要10个小时，比User1、User2说的长。" in texts
    english = sentence(replace(brief(), language="en"), plan, broken=broken)
    assert "The fullest day holds 3 sights, more than User2 wanted." in english
    assert "takes 10 hours, longer than User1 and User2 wanted." in english
