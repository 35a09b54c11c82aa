"""What it costs each to get about in a city."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from benchmark.core.actions import CallTools
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.planning import next_move
from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, read_log
from benchmark.suites.grouptravel.agent.planning.render import Transfers
from benchmark.suites.grouptravel.agent.planning.schedule import Ride
from tests.benchmark.suites.grouptravel.agent.planning.fake_world import (
    CITIES,
    FakeToolbox,
    brief_of,
    converse,
)

ENDS = {"origin": "104.000000,30.000000", "destination": "104.100000,30.000000"}


def atlas() -> Atlas:
    """Nodes 1 and 2 some ten kilometres apart, 3 beside 1, 4 nobody knows where."""
    made = Atlas()
    for name, point in (("甲", (104.0, 30.0)), ("乙", (104.1, 30.0)), ("丙", (104.001, 30.0)), ("丁", None)):
        made.add(name, point)
    return made


def route_knowledge(**answer: object) -> Knowledge:
    result = json.dumps({"distance_m": 12000, "duration_minutes": 20, **answer})
    return read_log([ToolEntry("1", "plan_route", {**ENDS, "mode": "driving"}, result, False, "world")])


def ride(origin: int, target: int) -> Ride:
    return Ride(1, origin, target, 0, 30)


@pytest.mark.parametrize(("people", "cars"), [(1, 1), (4, 1), (5, 2), (8, 2)])
def test_those_who_ride_share_the_fare_of_each_car(people: int, cars: int) -> None:
    fare = Transfers(route_knowledge(cost=20), atlas()).cost(ride(1, 2), 1)
    assert Transfers(route_knowledge(cost=20), atlas()).cost(ride(1, 2), people) == round(
        fare * cars / people, 1
    )


@pytest.mark.parametrize(("metres", "least", "most"), [(2000, 8, 16), (12000, 25, 50), (40000, 80, 150)])
def test_a_taxi_takes_a_fare_not_its_fuel(metres: int, least: float, most: float) -> None:
    assert (
        least
        <= Transfers(route_knowledge(distance_m=metres, cost=metres / 1600), atlas()).cost(ride(1, 2), 1)
        <= most
    )


def test_a_taxi_takes_at_least_the_tolls_and_the_fuel() -> None:
    assert Transfers(route_knowledge(cost=90), atlas()).cost(ride(1, 2), 1) == 90


def test_a_walk_is_free_and_nobody_asks_for_it() -> None:
    transfers = Transfers(Knowledge(), atlas())
    assert transfers.cost(ride(1, 3), 2) == 0
    assert transfers.calls([ride(1, 3)]) == ()


@pytest.mark.parametrize("known", [Knowledge(), route_knowledge(), route_knowledge(cost=None)])
def test_what_was_not_told_is_guessed(known: Knowledge) -> None:
    transfers = Transfers(known, atlas())
    assert transfers.cost(ride(1, 2), 1) > 0
    assert transfers.cost(ride(1, 4), 1) > 0


def test_each_way_by_car_is_asked_for_once() -> None:
    calls = Transfers(Knowledge(), atlas()).calls([ride(1, 2), ride(1, 2), ride(1, 4), ride(2, 1)])
    assert [call.arguments for call in calls] == [
        {**ENDS, "mode": "driving"},
        {"origin": ENDS["destination"], "destination": ENDS["origin"], "mode": "driving"},
    ]


class PricedToolbox(FakeToolbox):
    """Every drive costs 33."""

    def _plan_route(self, origin: str, destination: str, **_: object) -> dict[str, object]:
        return {"distance_m": 9000, "duration_minutes": 20, "cost": 33.0, "cost_per": "car"}


def rides(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        one
        for day in plan["days"]
        for segment in day["city_segments"]
        for one in segment.get("activities", ())
        if one["type"] == "intracity_transport"
    ]


def test_a_child_without_a_table_pays_a_share_too() -> None:
    brief = replace(brief_of(CITIES[:1], 3, 2), head_count=3)
    session = converse(brief, {}, ("User1", "User2"), PricedToolbox(2), 0)
    fares = {one["transport_mode"]: set[float]() for one in rides(session.plan)}
    for one in rides(session.plan):
        fares[one["transport_mode"]].add(one["avg_cost"])
    assert fares["打车"] == {11}  # a third of 33, more than the fare of nine kilometres
    assert fares.get("步行", {0}) == {0}


def test_without_tools_nothing_is_asked_and_every_ride_has_a_cost() -> None:
    world = PricedToolbox(2)
    brief = brief_of(CITIES[:1], 3, 2)
    log = converse(brief, {}, ("User1", "User2"), world, 0).log
    untold = tuple(entry for entry in log if entry.name != "plan_route")
    move = next_move(brief, {}, ("User1", "User2"), untold, False, 0)
    assert not isinstance(move, CallTools)
    plan = json.loads(move.content.split("```json")[1].split("```")[0])
    assert rides(plan)
    assert all(isinstance(one["avg_cost"], int | float) for one in rides(plan))
