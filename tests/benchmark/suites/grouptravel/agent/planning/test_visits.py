"""How long the planner stays."""

from __future__ import annotations

from datetime import date

import pytest

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.spots import spots_of, visit_minutes
from benchmark.suites.grouptravel.agent.planning.tastes import Taste

CITY = "北京市"
BRIEF = Brief("上海市", (CITY,), 2, date(2026, 4, 17), 2, (), "zh")


def sight(name: str, stay: tuple[float, float] | None = None, hours: str = "", category: str = "") -> Place:
    return Place("1", name, "attraction", category, CITY, (116.4, 39.9), 4.5, 0.0, stay, hours)


@pytest.mark.parametrize("stay", [None, (0.5, 1.0), (1.0, 2.5)])
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("北京欢乐谷", 240, 480),
        ("上海迪士尼度假区", 240, 480),
        ("北京环球度假区", 240, 480),
        ("Shenzhen Happy Valley Theme Park", 240, 480),
        ("北京野生动物园", 180, 360),
        ("八达岭长城", 150, 360),
        ("故宫博物院", 150, 300),
        ("颐和园", 150, 300),
        ("周庄", 120, 360),
        ("北京动物园", 120, 300),
    ],
)
def test_what_takes_half_a_day_is_given_it_whatever_the_world_suggests(
    name: str, least: int, most: int, stay: tuple[float, float] | None
) -> None:
    shortest, longest = visit_minutes(sight(name, stay))
    assert least <= shortest <= longest <= most


@pytest.mark.parametrize("name", ["午门", "猎德大桥", "太和殿", "九眼桥", "风波亭", "五羊石像雕像"])
def test_a_gate_or_a_bridge_takes_no_half_day(name: str) -> None:
    assert visit_minutes(sight(name, (2.5, 4.0)))[1] <= 90


@pytest.mark.parametrize(
    ("name", "stay", "minutes"),
    [
        ("苏州博物馆", (1.5, 3.0), (90, 180)),
        ("长隆野生动物世界", (5.0, 8.0), (300, 480)),
        ("光孝寺", (0.5, 1.5), (30, 90)),
        ("西溪国家湿地公园", (3.0, 5.0), (180, 300)),
    ],
)
def test_a_sensible_suggestion_is_kept(
    name: str, stay: tuple[float, float], minutes: tuple[int, int]
) -> None:
    assert visit_minutes(sight(name, stay)) == minutes


def test_no_visit_is_longer_than_the_place_is_open() -> None:
    place = sight("刘老根乐园", (3.0, 4.0), "20:00-22:15")
    known = Knowledge({CITY: {place.id: place}})
    spot = spots_of(BRIEF, CITY, (Taste(),), known, Atlas())[0]
    assert spot.stay <= spot.longest <= 135
