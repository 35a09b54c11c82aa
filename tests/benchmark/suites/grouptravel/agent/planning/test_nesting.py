"""A place inside another is one sight."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.nesting import families
from benchmark.suites.grouptravel.agent.planning.plan import Planner

CITY = "北京市"
BRIEF = Brief("", (CITY,), 2, date(2026, 4, 17), 2, (), "zh")
PALACE, HALL, CENTRE, GATE = (
    ("故宫博物院", 116.403414, 39.924091),
    ("太和殿", 116.403432, 39.923657),
    ("中和殿", 116.403387, 39.924221),
    ("午门", 116.403705, 39.920105),
)


def sight(name: str, lon: float, lat: float, city: str = CITY, price: float = 0.0) -> Place:
    return Place(name, name, "attraction", "历史古迹", city, (lon, lat), 4.8, price, None, "08:00-18:00")


def held(outer: tuple[str, float, float], inner: tuple[str, float, float], city: str = CITY) -> bool:
    return families([sight(*inner, city), sight(*outer, city)]).get(inner[0]) == outer[0]


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        (PALACE, HALL),
        (PALACE, CENTRE),
        (PALACE, GATE),
        (PALACE, ("故宫珍宝馆", 116.4063, 39.9260)),
        (("颐和园", 116.280, 40.009), ("颐和园-佛香阁", 116.280, 40.005)),
        (("颐和园", 116.280, 40.009), ("佛香阁", 116.280, 40.005)),
        (("颐和园", 116.280, 40.009), ("北京颐和园石舫", 116.276, 40.004)),
        (("天坛", 116.4194, 39.8899), ("祈年殿", 116.4193, 39.8899)),
        (("中国科学技术馆", 116.398, 40.005), ("儿童科学乐园(中国科学技术馆店)", 116.398, 40.005)),
        (("Summer Palace", 116.280, 40.009), ("Marble Boat (inside Summer Palace)", 116.276, 40.004)),
        (HALL, CENTRE),
    ],
)
def test_what_lies_inside_is_known_by_name_or_by_closeness(
    outer: tuple[str, float, float], inner: tuple[str, float, float]
) -> None:
    if outer == HALL:
        assert len(set(families([sight(*outer), sight(*inner)]).values())) == 1
    else:
        assert held(outer, inner)


@pytest.mark.parametrize(
    ("one", "other", "city"),
    [
        (("上海博物馆", 121.475, 31.228), ("上海博物馆(东馆)", 121.541, 31.221), "上海市"),
        (("苏州博物馆", 120.628, 31.324), ("苏州博物馆西馆", 120.545, 31.322), "苏州市"),
        (("外滩", 121.490, 31.237), ("北外滩滨江绿地", 121.500, 31.247), "上海市"),
        (("青城山", 103.57, 30.90), ("青城山skydive跳伞基地", 103.65, 30.88), "成都市"),
        (("故宫博物院", 116.4034, 39.9241), ("恭王府", 116.386, 39.937), "北京市"),
        (("北京动物园", 116.337, 39.942), ("北京野生动物园", 116.33, 39.50), "北京市"),
    ],
)
def test_neighbours_and_branches_are_sights_of_their_own(
    one: tuple[str, float, float], other: tuple[str, float, float], city: str
) -> None:
    assert families([sight(*one, city), sight(*other, city)]) == {}


def planned_sights(wishes: list[str]) -> list[list[dict[str, Any]]]:
    places = [
        *(sight(*place) for place in (PALACE, HALL, CENTRE, GATE)),
        sight("恭王府", 116.386, 39.937),
        sight("雍和宫", 116.417, 39.947),
    ]
    known = Knowledge({CITY: {place.id: place for place in places}})
    likes = {"attractions": {"must_visit": wishes, "category_pref": {"positive": ["历史古迹"]}}}
    tables = {user: {"city_specific_preferences": {CITY: likes}} for user in ("User1", "User2")}
    plan = Planner(BRIEF, tables, tuple(tables), known, 0).plan()
    return [
        [one for one in segment["activities"] if one["type"] == "attraction"]
        for day in plan.itinerary["days"]
        for segment in day["city_segments"]
    ]


def test_parts_that_nobody_asked_for_are_no_visits() -> None:
    names = [one["location"] for day in planned_sights([]) for one in day]
    assert "恭王府" in names
    assert "雍和宫" in names
    assert len({"故宫博物院", "太和殿", "中和殿", "午门"} & set(names)) == 1


def test_a_part_that_is_a_must_follows_the_sight_that_holds_it_directly() -> None:
    day = next(
        day for day in planned_sights(["故宫博物院", "太和殿"]) if any(v["location"] == "太和殿" for v in day)
    )
    names = [one["location"] for one in day]
    assert names[names.index("故宫博物院") + 1] == "太和殿"
    assert "中和殿" not in names
    assert "午门" not in names


def test_a_must_is_kept_by_the_place_of_that_name_alone() -> None:
    names = [one["location"] for day in planned_sights(["午门"]) for one in day]
    assert "午门" in names
    assert not {"故宫博物院", "太和殿", "中和殿"} & set(names)


def test_an_evening_part_is_not_waited_for_half_a_day() -> None:
    tower, shows = sight("黄鹤楼", 116.40, 39.92), sight("夜上黄鹤楼", 116.40, 39.92)
    places = [tower, replace(shows, hours_text="19:30-21:30")]
    places += [sight(f"胡同{n}", 116.40 + n / 500, 39.93) for n in range(5)]
    table = {"attractions": {"must_visit": [tower.name, shows.name]}}
    known = Knowledge({CITY: {place.id: place for place in places}})
    plan = Planner(
        BRIEF, {"User1": {"city_specific_preferences": {CITY: table}}}, ("User1",), known, 0
    ).plan()
    times = {
        one["location"]: (one["start_time"], one["end_time"])
        for day in plan.itinerary["days"]
        for segment in day["city_segments"]
        for one in segment["activities"]
        if one["type"] == "attraction"
    }
    assert times[shows.name][0] == "19:30"
    assert times[tower.name][1] >= "16:30"
