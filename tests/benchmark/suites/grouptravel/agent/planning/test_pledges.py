"""What travellers agreed to accept is in the plan."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from benchmark.core.actions import Say
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.dialogue.requests import Request
from benchmark.suites.grouptravel.agent.planning import next_move
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.moves import holds, with_pledges

CITY = "杭州市"
LEG = {"type": "intercity_transport", "transport_mode": "火车", "avg_cost": 300}


def itinerary(*activities: dict[str, Any]) -> dict[str, Any]:
    return {"days": [{"city_segments": [LEG, {"city": CITY, "activities": list(activities)}]}]}


def visit(kind: str, name: str, who: list[str], cost: float = 0) -> dict[str, Any]:
    return {"type": kind, "location": name, "participants": who, "avg_cost": cost}


KNOWLEDGE = Knowledge(
    {CITY: {"1": Place("1", "外婆家", "restaurant", "杭帮菜", CITY, None, 0, 60, None, "")}}
)


@pytest.mark.parametrize(
    ("request_", "used"),
    [
        (Request("User1", "sights", CITY, "灵隐寺"), True),
        (Request("User2", "sights", CITY, "灵隐寺"), False),
        (Request("User1", "sights", "苏州市", "灵隐寺"), False),
        (Request("User2", "food", CITY, "杭帮菜"), True),
        (Request("User2", "food", CITY, "火锅"), False),
        (Request("User2", "transport", None, "火车"), True),
        (Request("User2", "transport", None, "飞机"), False),
    ],
)
def test_a_concession_is_used_where_whoever_made_it_takes_part(request_: Request, used: bool) -> None:
    plan = itinerary(visit("attraction", "灵隐寺", ["User1"]), visit("food", "外婆家", ["All"], 60))
    assert holds(plan, request_, KNOWLEDGE) is used


@pytest.mark.parametrize(("budget", "used"), [(350, True), (360, False), (400, False)])
def test_a_raised_budget_is_used_by_what_costs_more(budget: float, used: bool) -> None:
    plan = itinerary(visit("food", "外婆家", ["All"], 60), visit("food", "楼外楼", ["User2"], 500))
    assert holds(plan, Request("User1", "budget", None, "", 500), KNOWLEDGE, budget) is used


def test_pledges_leave_the_tables_as_they_were() -> None:
    table = {
        "global_constraints": {"transport": {"prefer": []}},
        "city_specific_preferences": {
            CITY: {
                "attractions": {"must_visit": [], "category_pref": {"positive": []}},
                "food": {"prefer_eat": []},
            }
        },
    }
    tables = {"User1": table}
    items = (("sights", CITY), ("categories", CITY), ("food", CITY), ("transport", None))
    pledged = with_pledges(tables, [Request("User1", subject, city, "甲") for subject, city in items])
    assert "甲" not in str(tables)
    assert str(pledged).count("甲") == 4


def test_a_plan_holds_what_was_agreed_to_although_others_would_gain_more_elsewhere() -> None:
    """One temple far out, wanted a little; every other sight is liked by all."""
    pois = [
        {
            "id": f"p{number}",
            "name": name,
            "kind": "attraction",
            "category": category,
            "city": CITY,
            "location": f"120.{where},30.2",
            "price": 0,
            "stay_hours": [1, 2],
        }
        for number, (name, category, where) in enumerate(
            [("远山寺", "寺庙", 90), *((f"湖滨公园{n}", "公园", 10 + n) for n in range(8))]
        )
    ]
    log = (
        ToolEntry(
            "c", "search_poi", {"keywords": "景点", "city": CITY}, json.dumps({"pois": pois}), False, "world"
        ),
    )
    likes = {
        "attractions": {"must_visit": [], "reject_visit": [], "category_pref": {"positive": ["公园"]}},
        "food": {"prefer_eat": []},
    }
    tables = {
        user: {
            "global_constraints": {"intensity": {"max_poi_per_day": 2}},
            "city_specific_preferences": {CITY: likes},
        }
        for user in ("User1", "User2")
    }
    brief = Brief("", (CITY,), 1, date(2026, 4, 17), 2, (), "zh")
    without = next_move(brief, tables, tuple(tables), log, False, 0)
    pledged = (Request("User2", "sights", CITY, "远山寺"),)
    planned = next_move(brief, tables, tuple(tables), log, False, 0, pledged)
    assert isinstance(without, Say)
    assert isinstance(planned, Say)
    assert "远山寺" not in without.content
    assert "远山寺" in planned.content
