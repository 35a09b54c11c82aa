"""The planner with the real tools over the shipped world."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.score import score_record
from sandbox.toolbox import world_tools
from sandbox.worlds.reader import World
from tests.benchmark.suites.grouptravel.agent.planning.fake_world import converse


class CountingToolbox:
    """A toolbox that gives the text alone and counts refused calls."""

    def __init__(self, world: World) -> None:
        self._toolbox = world_tools(world)
        self.errors: list[str] = []

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        outcome = self._toolbox.call(name, arguments)
        if outcome.error:
            self.errors.append(f"{name} {arguments}: {outcome.result}")
        return outcome.result


def table(draw: Random, world: World, cities: tuple[str, ...]) -> dict[str, Any]:
    return {
        "global_constraints": {
            "avg_budget": draw.choice((2500, 4000)),
            "transport": {"must": ["高铁"], "prefer": [], "avoid": ["自驾"], "reject": []},
            "intensity": {"max_poi_per_day": 3, "max_active_hours": draw.choice((8, 9, 10))},
            "hotel_preference": {"prefer": [draw.choice(("舒适型", "高档型"))], "avoid": ["豪华型"]},
        },
        "city_specific_preferences": {city: city_table(draw, world, city) for city in cities},
    }


def city_table(draw: Random, world: World, city: str) -> dict[str, Any]:
    sights = list(world.places(city, "attraction"))
    foods = sorted({place.category for place in world.places(city, "restaurant")})
    wanted, refused = draw.sample(sights, 2)
    eaten, avoided = draw.sample(foods, 2)
    likes = {"positive": [draw.choice(sights).category], "negative": []}
    return {
        "attractions": {"must_visit": [wanted.name], "reject_visit": [refused.name], "category_pref": likes},
        "food": {"must_eat": [eaten], "prefer_eat": [], "avoid_eat": [avoided], "reject_eat": []},
    }


@pytest.mark.parametrize(
    ("home", "cities", "days", "people"),
    [
        ("上海市", ("杭州市",), 2, 2),
        ("上海市", ("苏州市", "杭州市"), 4, 4),
        ("上海市", ("南京市", "苏州市", "杭州市"), 7, 6),
        ("广州市", ("深圳市",), 3, 5),
    ],
)
def test_plans_are_valid_by_both_profiles_and_worth_it(
    world: World, home: str, cities: tuple[str, ...], days: int, people: int
) -> None:
    draw = Random(days)
    tables = {f"User{n}": table(draw, world, cities) for n in range(1, people + 1)}
    toolbox = CountingToolbox(world)
    brief = Brief(home, cities, days, date(2026, 4, 17), people, (), "zh")
    session = converse(brief, tables, tuple(tables), toolbox)
    record = {
        "success": True,
        "plan_generated": True,
        "user_names": list(tables),
        "metadata": {"departure_city": home},
        "conversation_history": [
            *({"type": "tool_result", "name": entry.name, "result": entry.result} for entry in session.log),
            {"type": "message", "role": "Agent", "content": session.say},
        ],
        "effective_preferences": {user: {"preference": one} for user, one in tables.items()},
    }
    scored = score_record(record, Catalogue(world.catalogue()))
    assert scored["pv_issues"] == []
    by_the_paper = score_record(record, Catalogue(world.catalogue()), "paper")
    assert by_the_paper["pv_issues"] == []
    assert by_the_paper["evidence"]["not_checkable"] == []
    assert toolbox.errors == []
    assert min(scored["per_user_utility"].values()) > 2 * days
    services = {
        (service.mode, service.depart, service.arrive)
        for a in (home, *cities)
        for b in (home, *cities)
        for service in world.services(a, b)
    }
    legs = [s for day in session.plan["days"] for s in day["city_segments"] if "transport_mode" in s]
    assert len(legs) == len(cities) + 1
    assert all((leg["transport_mode"], leg["start_time"], leg["end_time"]) in services for leg in legs)
