"""The planner against an invented world: always a plan, never an issue, never a call twice."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.core.actions import CallTools, Say
from benchmark.suites.grouptravel.agent.planning import next_move
from benchmark.suites.grouptravel.agent.planning.knowledge import read_log
from benchmark.suites.grouptravel.agent.planning.plan import Planner
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.score import score_record
from tests.benchmark.suites.grouptravel.agent.planning.fake_world import (
    CITIES,
    FakeToolbox,
    Session,
    brief_of,
    converse,
    group,
)

QUICK = settings(max_examples=12, suppress_health_check=list(HealthCheck), derandomize=True)
seeds = st.integers(0, 10_000)


def figures(session: Session, tables: dict[str, Any], world: FakeToolbox) -> dict[str, Any]:
    record = {
        "success": True,
        "plan_generated": True,
        "user_names": list(tables),
        "conversation_history": [{"type": "message", "role": "Agent", "content": session.say}],
        "effective_preferences": {user: {"preference": table} for user, table in tables.items()},
        "agent_preference_table": tables,
    }
    return score_record(record, Catalogue(world.catalogue()))


def names_called(session: Session) -> Counter[str]:
    return Counter(f"{e.name} {json.dumps(e.arguments, sort_keys=True)}" for e in session.log)


@QUICK
@given(
    seeds,
    st.integers(1, 3),
    st.integers(1, 7),
    st.integers(1, 6),
    st.booleans(),
    st.dates(date(2025, 1, 1), date(2026, 12, 1)),
)
def test_a_plan_is_always_valid_and_scored_as_the_planner_expects(
    seed: int, cities: int, days: int, people: int, services: bool, start: date
) -> None:
    world = FakeToolbox(seed, services=services)
    chosen = CITIES[:cities]
    tables = group(seed, people, chosen, world)
    brief = brief_of(chosen, days, people, start)
    session = converse(brief, tables, tuple(tables), world, seed)
    scored = figures(session, tables, world)
    assert scored["pv_issues"] == []
    expected = Planner(brief, tables, tuple(tables), read_log(session.log), seed).plan().personal
    assert scored["per_user_utility"] == dict(zip(tables, expected, strict=True))
    assert max(names_called(session).values()) == 1
    assert session.steps <= 8


@QUICK
@given(seeds, st.integers(0, 3))
def test_broken_answers_never_break_the_plan(seed: int, cities: int) -> None:
    world = FakeToolbox(seed, flaky=0.5)
    chosen = CITIES[:cities]
    tables = group(seed, 3, chosen, world)
    session = converse(brief_of(chosen, 3, 3), tables, tuple(tables), world, seed)
    assert len(session.plan["days"]) == 3
    assert session.plan["days"][0]["city_segments"]
    assert max(names_called(session).values()) == 1


_json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["global_constraints", "food"]), inner)
    ),
    max_leaves=6,
)


@QUICK
@given(st.dictionaries(st.sampled_from(["User1", "User2"]), _json))
def test_odd_tables_never_break_the_plan(tables: dict[str, Any]) -> None:
    brief = brief_of(CITIES[:1], 2, 2)
    move = next_move(brief, tables, ("User1", "User2"), (), False, 0)
    assert isinstance(move, Say)


def test_without_tools_there_is_a_plan_with_a_night_and_both_legs() -> None:
    world = FakeToolbox(1)
    session = converse(brief_of(CITIES[:2], 3, 2), {}, ("User1", "User2"), world, most=0)
    days = session.plan["days"]
    assert days[0]["city_segments"][0]["transport_mode"] == "自驾"
    assert days[-1]["city_segments"][-1]["to_city"] == "远安市"
    assert [day["city_segments"][-1]["activities"][-1]["type"] for day in days[:-1]] == ["hotel", "hotel"]


def test_calls_made_earlier_in_the_session_are_not_repeated() -> None:
    world = FakeToolbox(3)
    brief = brief_of(CITIES[:1], 2, 2)
    first = converse(brief, {}, ("User1",), world)
    again = next_move(brief, {}, ("User1",), first.log, True, 0)
    assert isinstance(again, Say)


def test_a_new_wish_asks_only_for_what_is_new() -> None:
    world = FakeToolbox(3)
    brief = brief_of(CITIES[:1], 2, 1)
    first = converse(brief, {}, ("User1",), world)
    table = {"city_specific_preferences": {CITIES[0]: {"food": {"must_eat": ["川菜"]}}}}
    move = next_move(brief, {"User1": table}, ("User1",), first.log, True, 0)
    assert isinstance(move, CallTools)
    assert [call.arguments["keywords"] for call in move.calls if isinstance(call.arguments, dict)] == ["川菜"]


def test_the_same_view_gives_the_same_plan() -> None:
    world = FakeToolbox(5)
    tables = group(5, 4, CITIES, world)
    brief = brief_of(CITIES, 5, 4)
    log = converse(brief, tables, tuple(tables), world).log
    says = [next_move(brief, tables, tuple(tables), log, True, 7) for _ in range(2)]
    assert says[0] == says[1]


def test_every_day_is_humane() -> None:
    """Distinct places, at most three meals and five sights a day, nobody out after ten unless they travel."""
    for seed in range(4):
        world = FakeToolbox(seed)
        tables = group(seed, 4, CITIES[:2], world)
        plan = converse(brief_of(CITIES[:2], 4, 4), tables, tuple(tables), world).plan
        visits = [a for day in plan["days"] for a in _activities(day) if a["type"] in ("attraction", "food")]
        assert len({v["location"] for v in visits}) == len(visits)
        for day in plan["days"]:
            for user in tables:
                mine = [
                    a
                    for a in _activities(day)
                    if a.get("participants") in (["All"],) or user in a.get("participants", ())
                ]
                assert sum(a["type"] == "food" for a in mine) <= 3
                assert sum(a["type"] == "attraction" for a in mine) <= 5


def _activities(day: dict[str, Any]) -> list[dict[str, Any]]:
    return [a for segment in day["city_segments"] for a in segment.get("activities", ())]


def test_children_are_never_left_without_adults() -> None:
    world = FakeToolbox(12)
    tables = group(12, 6, CITIES[:2], world)
    brief = replace(brief_of(CITIES[:2], 4, 7), companions=("User7",))
    plan = converse(brief, tables, tuple(tables), world).plan
    listed = [a["participants"] for day in plan["days"] for a in _activities(day) if "participants" in a]
    assert listed
    assert all(names == ["All"] for names in listed)


def test_a_split_is_taken_where_tastes_part() -> None:
    """Two must eat what the other two reject: they eat apart and meet again."""
    world = FakeToolbox(9, restaurants=40)
    city = CITIES[0]
    tables = {
        user: {"city_specific_preferences": {city: {"food": {"must_eat": [eat], "reject_eat": [refuse]}}}}
        for user, eat, refuse in (
            ("User1", "川菜", "粤菜"),
            ("User2", "川菜", "粤菜"),
            ("User3", "粤菜", "川菜"),
            ("User4", "粤菜", "川菜"),
        )
    }
    session = converse(brief_of((city,), 3, 4), tables, tuple(tables), world)
    scored = figures(session, tables, world)
    assert scored["pv"]
    assert scored["split_penalty"] > 0
    assert min(scored["per_user_utility"].values()) >= 2


@pytest.mark.parametrize("mode", ["高铁", "火车"])
def test_legs_follow_what_everybody_must_have(mode: str) -> None:
    world = FakeToolbox(21)
    table = {"global_constraints": {"transport": {"must": [mode]}}}
    session = converse(brief_of(CITIES[:1], 3, 1), {"User1": table}, ("User1",), world)
    offered = {
        row["mode"]
        for entry in session.log
        if entry.name == "travel_search_trains" and entry.result
        for row in json.loads(entry.result)["trains"]
        if row["day_offset"] == 0
    }
    legs = [s for day in session.plan["days"] for s in day["city_segments"] if "transport_mode" in s]
    assert len(legs) == 2
    if mode in offered:
        assert mode in {leg["transport_mode"] for leg in legs}
