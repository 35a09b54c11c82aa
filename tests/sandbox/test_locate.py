"""From texts to points, and from questions to facts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.worlds import PackBuilder, World, open_world
from sandbox.worlds.geo import distance_m, format_point, metres_to_line, parse_point
from sandbox.worlds.records import Fact
from tests.sandbox.conftest import CITIES


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("杭州", "杭州市", "city"),
        ("西湖", "西湖", "attraction"),
        ("杭州西湖", "西湖", "attraction"),
        ("浙江省杭州市西湖区西湖", "西湖", "attraction"),
        ("杭州东站", "杭州东站", "train"),
        ("杭州东", "杭州东站", "train"),
        ("萧山机场", "杭州萧山国际机场", "airport"),
        ("龙翔桥地铁站", "龙翔桥", "metro"),
        ("楼外楼", "楼外楼（孤山路店）", "restaurant"),
        ("孤山路25号", "浙江省博物馆", "attraction"),
        ("拙政园", "拙政园", "attraction"),
    ],
)
def test_a_text_is_found_by_its_name_or_what_contains_it(
    tiny_world: World, text: str, name: str, kind: str
) -> None:
    spot = tiny_world.locate(text)
    assert spot and (spot.name, spot.kind) == (name, kind)


def test_a_city_narrows(tiny_world: World) -> None:
    assert tiny_world.locate("拙政园", "杭州") is None
    assert tiny_world.locate("西湖", "北京") is None


@pytest.mark.parametrize("text", ["", "，", "没有这个地方", "湖"])
def test_other_texts_are_nowhere(tiny_world: World, text: str) -> None:
    assert tiny_world.locate(text) is None


def test_a_coordinate_lies_in_the_nearest_city_within_reach(tiny_world: World) -> None:
    near, far = tiny_world.locate("120.2, 30.2"), tiny_world.locate("100,30")
    assert near and (near.city, near.kind, near.point) == ("杭州市", "coordinate", (120.2, 30.2))
    assert far and far.city == ""


@given(st.floats(-180, 180), st.floats(-90, 90))
def test_points_survive_writing(longitude: float, latitude: float) -> None:
    parsed = parse_point(format_point((longitude, latitude)))
    assert parsed and abs(parsed[0] - longitude) < 1e-6 and abs(parsed[1] - latitude) < 1e-6


@pytest.mark.parametrize("text", ["200,30", "30", "a,b", "120.1;30", "１２０,30", "120,91"])
def test_other_texts_are_no_points(text: str) -> None:
    assert parse_point(text) is None


def test_distances_are_those_of_the_globe() -> None:
    assert distance_m((120.155, 30.274), (121.474, 31.230)) == pytest.approx(165_000, rel=0.01)
    assert metres_to_line((0.001, 0.001), ((0, 0), (0.002, 0))) == pytest.approx(111.2, rel=0.01)
    assert metres_to_line((0.003, 0), ((0, 0), (0.002, 0))) == pytest.approx(111.2, rel=0.01)


def test_a_question_finds_facts_by_keyword_and_title(tiny_world: World) -> None:
    assert [fact.title for fact in tiny_world.facts("西湖的音乐喷泉几点表演")] == ["西湖音乐喷泉表演时间"]
    assert [fact.title for fact in tiny_world.facts("孩子坐高铁可以免费乘车吗")] == ["儿童高铁票"]


def test_a_journey_is_found_in_its_direction(tmp_path: Path) -> None:
    pairs = (("杭州市", "上海市"), ("上海市", "杭州市"), ("上海市", "苏州市"))
    with PackBuilder(tmp_path / "w.pack", "w", "s") as builder:
        builder.add_all(CITIES)
        builder.add_all(
            Fact(city=a, title=f"{a}到{b}的交通", text="x", keywords=(a, b, "交通")) for a, b in pairs
        )
        builder.finish({})
    world = open_world(tmp_path / "w.pack")
    for question in ("上海到杭州怎么走", "从上海去杭州", "上海市 杭州市 高铁"):
        assert world.facts(question)[0].title == "上海市到杭州市的交通"


def test_the_beginning_of_a_title_stands_for_it(tmp_path: Path) -> None:
    with PackBuilder(tmp_path / "w.pack", "w", "s") as builder:
        builder.add_all(CITIES)
        builder.add_all(
            Fact(title=title, text="x", keywords=("门票",)) for title in ("故宫博物院", "首都博物馆")
        )
        builder.finish({})
    assert open_world(tmp_path / "w.pack").facts("故宫门票")[0].title == "故宫博物院"


@pytest.mark.parametrize("query", ["股票行情", "杭州", "", "？"])
def test_a_question_about_something_else_finds_none(tiny_world: World, query: str) -> None:
    assert tiny_world.facts(query) == ()
