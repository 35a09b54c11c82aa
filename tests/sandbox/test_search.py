"""Searching places: two-character words, relevance, narrowing, distance, pages."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.worlds import PackBuilder, World, open_world
from sandbox.worlds.geo import distance_m, format_point, metres_aside, metres_to_line, parse_point
from sandbox.worlds.records import Fact, Place, PlaceKind
from sandbox.worlds.search import Sort
from tests.properties import examples
from tests.sandbox.conftest import CITIES, PLACES

WEST_LAKE = (120.1446, 30.2478)


def names(world: World, keywords: str, city: str = "杭州", **filters: object) -> list[str]:
    page = world.search(city, keywords, page_size=20, **filters)  # type: ignore[arg-type]
    assert page.total == len(page.hits)
    return [hit.place.name for hit in page.hits]


def test_a_two_character_word_is_found_in_name_category_and_dish_in_that_order(tiny_world: World) -> None:
    assert names(tiny_world, "火锅") == ["川味火锅", "小龙坎", "知味观"]


def test_relevance_puts_the_exact_name_first_then_prefix_then_the_rest(tiny_world: World) -> None:
    found = names(tiny_world, "西湖")
    assert found[:4] == ["西湖", "西湖音乐喷泉", "西湖国宾馆", "楼外楼（孤山路店）"]
    assert set(found[4:]) == {"灵隐寺", "浙江省博物馆"}


@pytest.mark.parametrize(
    ("keywords", "kind"),
    [("景点", "attraction"), ("美食", "restaurant"), ("餐厅", "restaurant"), ("酒店", "hotel"), ("住宿", "hotel"),
     ("杭州景点", "attraction"), ("必去景点", "attraction"), ("杭州必去景点", "attraction"),
     ("景点推荐", "attraction"), ("热门 景点", "attraction"), ("特色美食", "restaurant"),
     ("好吃的餐厅", "restaurant"), ("附近酒店", "hotel")],
)  # fmt: skip
def test_a_word_for_a_kind_selects_the_kind(tiny_world: World, keywords: str, kind: str) -> None:
    expected = {place.name for place in PLACES if place.kind == kind and place.city == "杭州市"}
    assert set(names(tiny_world, keywords)) == expected


def test_a_sight_comes_before_what_is_only_called_after_it(tmp_path: Path) -> None:
    world = build_world(
        tmp_path,
        ("西湖边客栈", "hotel", "客栈"),
        ("游船（西湖码头店）", "restaurant", "江浙菜"),
        ("杭州西湖博物馆", "attraction", "博物馆"),
        ("博物馆主题餐厅", "restaurant", "西餐"),
    )
    assert names(world, "西湖") == ["杭州西湖博物馆", "西湖边客栈", "游船（西湖码头店）"]
    assert names(world, "博物馆") == ["杭州西湖博物馆", "博物馆主题餐厅"]


def build_world(folder: Path, *places: tuple[str, PlaceKind, str]) -> World:
    """A world of these places (name, kind, category) alone, the last the best known."""
    path = folder / "small.pack"
    with PackBuilder(path, "small", "the test suite") as builder:
        builder.add(CITIES[0])
        for known, (name, kind, category) in enumerate(places):
            builder.add(
                Place(
                    id=f"p{known}", city="杭州市", kind=kind, name=name, category=category, longitude=120.1,
                    latitude=30.2, popularity=known,
                )
            )  # fmt: skip
        builder.finish({})
    return open_world(path)


def test_several_words_narrow(tiny_world: World) -> None:
    assert names(tiny_world, "西湖 酒店") == ["西湖国宾馆"]
    assert names(tiny_world, "上城区 火锅") == ["川味火锅", "知味观"]
    assert names(tiny_world, "火锅 博物馆") == []


@pytest.mark.parametrize("keywords", ["杭帮菜餐厅", "杭州杭帮菜", "杭帮菜馆"])
def test_a_word_is_also_read_without_its_city_or_kind(tiny_world: World, keywords: str) -> None:
    assert names(tiny_world, keywords) == ["楼外楼（孤山路店）"]


def test_a_longer_text_must_be_there_in_one_piece(tiny_world: World) -> None:
    assert names(tiny_world, "西湖醋鱼") == ["楼外楼（孤山路店）"]
    assert names(tiny_world, "西湖鱼") == []
    assert names(tiny_world, "小笼火锅") == []


def test_another_city_has_its_own_places(tiny_world: World) -> None:
    assert names(tiny_world, "火锅", "苏州") == ["松鹤楼火锅"]


def test_a_region_is_part_of_an_address_or_the_surroundings_of_a_landmark(tiny_world: World) -> None:
    assert names(tiny_world, "火锅", region="上城区") == ["川味火锅", "知味观"]
    assert "小龙坎" in names(tiny_world, "火锅", region="武林广场")
    assert names(tiny_world, "火锅", region="不存在的地方") == []
    assert names(tiny_world, "火锅", region="杭州") == names(tiny_world, "火锅")


def test_prices_leave_out_what_has_none(tiny_world: World) -> None:
    assert names(tiny_world, "火锅", price_min=60, price_max=100) == ["川味火锅"]
    assert "武林广场" not in names(tiny_world, "", price_min=0)
    assert names(tiny_world, "美食", sort="price_low")[0] == "知味观"
    assert names(tiny_world, "美食", sort="price_high")[0] == "楼外楼（孤山路店）"
    assert names(tiny_world, "", sort="rating")[-1] == "武林广场"


def test_pages_follow_one_another(tiny_world: World) -> None:
    whole = names(tiny_world, "")
    pages = [tiny_world.search("杭州", "", page=page, page_size=4) for page in (1, 2, 3, 4)]
    assert [hit.place.name for page in pages for hit in page.hits] == whole
    assert {page.total for page in pages} == {len(whole)}


@given(
    longitude=st.floats(119.9, 120.4), latitude=st.floats(30.0, 30.5), radius=st.floats(0.2, 40),
    keywords=st.sampled_from(["", "火锅", "景点", "西湖"]),
)  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))
def test_a_circle_holds_what_is_in_it_nearest_first(
    tiny_world: World, longitude: float, latitude: float, radius: float, keywords: str
) -> None:
    centre = (longitude, latitude)
    page = tiny_world.search("杭州", keywords, near=centre, radius_km=radius, sort="distance", page_size=20)
    found = [hit.place.id for hit in page.hits]
    anywhere = [hit.place for hit in tiny_world.search("杭州", keywords, page_size=20).hits]
    away = {place.id: distance_m(centre, (place.longitude, place.latitude)) for place in anywhere}
    edge = 2 + radius * 0.1
    assert {each for each in away if away[each] < radius * 1000 - edge} <= set(found)
    assert all(away[each] <= radius * 1000 + edge for each in found)
    assert [hit.distance_m for hit in page.hits] == [round(away[each]) for each in found]
    assert all(away[first] <= away[second] + edge for first, second in pairwise(found))


@given(
    keywords=st.text(max_size=8), region=st.none() | st.text(max_size=5),
    sort=st.sampled_from(["relevance", "distance", "rating", "price_low", "price_high"]),
)  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(100))
def test_any_text_may_be_searched_for(
    tiny_world: World, keywords: str, region: str | None, sort: Sort
) -> None:
    page = tiny_world.search("杭州", keywords, region=region, near=WEST_LAKE, sort=sort)
    assert len(page.hits) == min(10, page.total)


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(100))
def test_every_part_of_a_name_finds_its_place(tiny_world: World, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from(PLACES))
    start = data.draw(st.integers(0, len(place.name) - 1))
    part = place.name[start : data.draw(st.integers(start + 1, len(place.name)))]
    if part.strip("（）"):
        found = tiny_world.search(place.city, part.replace("（", "").replace("）", ""), page_size=20)
        kinds = {hit.place.kind for hit in found.hits}
        assert place in [hit.place for hit in found.hits] or kinds == {"hotel"}


def test_places_along_a_line_come_with_how_far_aside_they_are(tiny_world: World) -> None:
    """The street from the lake to the square bends, and 川味火锅 at its bend is 600 m off the straight line."""
    ends = (WEST_LAKE, (120.165, 30.272))
    hits = tiny_world.search_along("杭州", "火锅", ends, 250, 10)
    assert [hit.place.name for hit in hits] == ["川味火锅", "知味观"]
    bend = (120.1630, 30.2600)
    assert metres_to_line(bend, ends) > 500
    by_it = distance_m(ends[0], bend) + distance_m(bend, ends[1])
    assert hits[0].distance_m == round((by_it - distance_m(*ends)) / 2) <= 250
    assert not tiny_world.search_along("杭州", "火锅", ends, 50, 10)
    assert tiny_world.search_along("杭州", "火锅", ends, 250, 10**300) == hits  # as a model may ask


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))
def test_no_place_beside_a_line_is_missed(tiny_world: World, data: st.DataObject) -> None:
    points = st.tuples(st.floats(120.05, 120.25), st.floats(30.2, 30.3))
    line = tuple(data.draw(st.lists(points, min_size=2, max_size=4)))
    within = data.draw(st.floats(1, 3000))
    found = {hit.place.id for hit in tiny_world.search_along("杭州", "美食", line, within, 50)}
    every = [place for place in PLACES if (place.city, place.kind) == ("杭州市", "restaurant")]
    assert found == {
        place.id for place in every if metres_aside((place.longitude, place.latitude), line) <= within
    }


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
