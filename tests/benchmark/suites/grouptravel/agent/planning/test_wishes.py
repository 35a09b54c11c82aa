"""Plans hold only what tools have returned; a wish that no tool knows is named, not planned."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.moves import sentence
from benchmark.suites.grouptravel.agent.planning.plan import Planner
from benchmark.suites.grouptravel.agent.planning.wishes import meaning, spellings

from .fake_world import CITIES, FakeToolbox, Session, brief_of, converse

CITY = CITIES[0]
WORLD = FakeToolbox(5)
KNOWN_SIGHT = next(
    p["name"] for p in WORLD.places.values() if p["kind"] == "attraction" and p["city"] == CITY
)


def session_with_wishes(*wishes: str) -> Session:
    table = {"city_specific_preferences": {CITY: {"attractions": {"must_visit": list(wishes)}}}}
    return converse(brief_of(CITIES[:1], 2, 1), {"User1": table}, ("User1",), WORLD)


def locations(session: Session) -> set[str]:
    segments = (segment for day in session.plan["days"] for segment in day["city_segments"])
    activities: list[dict[str, Any]] = [one for segment in segments for one in segment.get("activities", [])]
    return {one["location"] for one in activities if one["type"] in {"attraction", "food", "hotel"}}


def test_every_location_is_one_that_a_tool_named() -> None:
    names = {place["name"] for place in WORLD.places.values()}
    assert locations(session_with_wishes("三月底的太子湾公园", CITY, KNOWN_SIGHT)) <= names


def test_what_no_tool_knows_is_said() -> None:
    said = session_with_wishes("三月底的太子湾公园", KNOWN_SIGHT).say.split("```")[0]
    assert "三月底的太子湾公园没有查到" in said
    assert KNOWN_SIGHT not in said


def test_what_somebody_refuses_is_not_put_down_to_the_opening_hours() -> None:
    sights = [p["name"] for p in WORLD.places.values() if p["kind"] == "attraction" and p["city"] == CITY]
    tables = {
        user: {"city_specific_preferences": {CITY: {"attractions": {tier: sights}}}}
        for user, tier in (("User1", "must_visit"), ("User2", "reject_visit"), ("User3", "reject_visit"))
    }
    session = converse(brief_of(CITIES[:1], 1, len(tables)), tables, tuple(tables), WORLD)
    left_out = [name for name in sights if name not in locations(session)]
    said = session.say.split("```")[0]
    assert left_out
    assert "有人想去、有人不去，这次没有排的是" in said
    assert f"{left_out[-1]}（User1）" in said
    assert "凑不上" not in said


def test_who_is_not_taken_to_a_sight_of_their_own_is_told_so() -> None:
    """Also where others who named it are taken there."""
    brief = Brief("", (CITY,), 1, date(2026, 4, 17), 3, (), "zh")
    sights = [
        Place(name, name, "attraction", "公园", CITY, (104.0, lat), 4.5, 0.0, (2, 2), "09:00-11:15")
        for name, lat in (("东园", 30.0), ("西园", 30.2))
    ]
    wishes = {"User1": ["东园"], "User2": ["东园", "西园"], "User3": ["西园"]}
    tables = {
        user: {"city_specific_preferences": {CITY: {"attractions": {"must_visit": names}}}}
        for user, names in wishes.items()
    }
    known = Knowledge({CITY: {place.id: place for place in sights}})
    plan = Planner(brief, tables, tuple(tables), known, 0).plan()
    assert plan.unmet_names == ()
    said = sentence(brief, plan)
    assert "（User2）" in said
    assert "都排进去了" not in said


def eating(**wishes: list[str]) -> dict[str, Any]:
    return {
        user: {"city_specific_preferences": {CITY: {"food": {"must_eat": items}}}}
        for user, items in wishes.items()
    }


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("zh", f"一定要吃、这次没能排上的有{CITY}的火锅（User1、User3）、蓝屋（User2）。"),
        ("en", f"I could not fit in 火锅 (User1 and User3) and 蓝屋 (User2) in {CITY}."),
    ],
)
def test_whoever_does_not_get_what_they_insist_on_eating_is_told_so(language: str, told: str) -> None:
    brief = Brief("", (CITY,), 1, date(2026, 4, 17), 3, (), language)
    teahouse = Place("茶", "茶", "restaurant", "茶馆", CITY, (104.0, 30.0), 4.5, 40.0, None, "08:00-22:00")
    tables = eating(User1=["茶馆", "火锅"], User2=["蓝屋"], User3=["火锅"])
    plan = Planner(brief, tables, tuple(tables), Knowledge({CITY: {"茶": teahouse}}), 0).plan()
    said = sentence(brief, plan)
    assert told in said
    assert "茶馆" not in said
    everything = Planner(brief, eating(User1=["茶馆"]), ("User1",), Knowledge({CITY: {"茶": teahouse}}), 0)
    assert everything.plan().missed_meals == ()


def test_what_there_is_no_room_for_is_told_with_whom_and_without_a_reason() -> None:
    brief = Brief("", (CITY,), 1, date(2026, 4, 17), 2, (), "zh")
    far = Place("远山", "远山", "attraction", "公园", CITY, (104.0, 30.0), 4.5, 0.0, (2, 2), "02:00-03:00")
    tables = {
        "User1": {},
        "User2": {"city_specific_preferences": {CITY: {"attractions": {"must_visit": ["远山"]}}}},
    }
    known = Knowledge({CITY: {"远山": far}})
    for language, told in (
        ("zh", "没能排进去的有远山（User2）。"),
        ("en", "I could not fit in 远山 (User2)."),
    ):
        plan = Planner(replace(brief, language=language), tables, tuple(tables), known, 0).plan()
        assert told in sentence(replace(brief, language=language), plan)


def test_a_wish_in_other_words_is_the_place_that_it_holds() -> None:
    assert KNOWN_SIGHT in locations(session_with_wishes(f"{CITY}那边{KNOWN_SIGHT}"))


def test_shortened_forms_are_searched() -> None:
    searched = {
        str(entry.arguments["keywords"])
        for entry in session_with_wishes("三月底的太子湾公园").log
        if entry.name == "search_poi" and isinstance(entry.arguments, dict)
    }
    assert {"三月底的太子湾公园", "太子湾公园"} <= searched


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("西湖风景名胜区", "西湖"),
        ("珠江夜游(天字码头)", "珠江夜游"),
        ("苏州市那边拙政园", "拙政园"),
        ("秋天的天平山", "天平山"),
    ],
)
def test_spellings(name: str, form: str) -> None:
    assert spellings(name, "苏州市")[0] == name
    assert form in spellings(name, "苏州市")


def test_the_longest_known_name_is_meant() -> None:
    places = [
        Place(name, name, "attraction", "", CITY, None, 0.0, None, None, "")
        for name in ("平江路", "平江路历史街区")
    ]
    assert meaning("傍晚平江路历史街区那一带", CITY, places) == "平江路历史街区"
    assert meaning("云上花海", CITY, places) is None


def test_the_plan_is_json() -> None:
    assert json.dumps(session_with_wishes(KNOWN_SIGHT).plan, ensure_ascii=False)
