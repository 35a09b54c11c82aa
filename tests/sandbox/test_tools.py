"""What each of the ten tools answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox.toolbox import Toolbox, world_tools
from sandbox.tools.results import Partial, read_json, read_partial
from sandbox.toolsets.grouptravel.poi import PartialPlace, PartialPlaces
from sandbox.toolsets.grouptravel.result_schemas import FOLDER, result_schemas
from sandbox.toolsets.grouptravel.routing import PartialRoute
from sandbox.toolsets.grouptravel.search_along_route import PartialAlong
from sandbox.toolsets.grouptravel.services import PartialService
from sandbox.toolsets.grouptravel.tools import TOOLS
from sandbox.worlds import World


@pytest.fixture
def toolbox(tiny_world: World) -> Toolbox:
    return world_tools(tiny_world)


def call(toolbox: Toolbox, name: str, **arguments: Any) -> dict[str, Any]:
    """The result of a call that must succeed and fit the tool's result model."""
    outcome = toolbox.call(name, arguments)
    assert not outcome.error, outcome.result
    assert (outcome.source, outcome.latency_ms > 0) == ("world", True)
    TOOLS[name].result.model_validate_json(outcome.result)
    result: dict[str, Any] = json.loads(outcome.result)
    return result


def test_the_committed_schemas_are_current() -> None:
    expected = result_schemas()
    assert {path.name for path in FOLDER.iterdir()} == set(expected)
    assert all((FOLDER / name).read_text(encoding="utf-8") == text for name, text in expected.items())


def test_search_poi_pages_places(toolbox: Toolbox) -> None:
    result = call(toolbox, "search_poi", keywords="火锅", city="杭州", page_size=2, page=2)
    assert (result["total"], result["page"], result["page_size"]) == (3, 2, 2)
    assert result["pois"] == [
        {
            "id": "hz-r4", "name": "知味观", "kind": "restaurant", "category": "小吃", "city": "杭州市",
            "address": "上城区仁和路83号", "location": "120.161,30.255", "distance_m": None, "rating": 4.2,
            "review_count": None, "price": 50.0, "opening_hours": None, "stay_hours": None,
        }
    ]  # fmt: skip


def test_search_poi_around_a_place_gives_the_nearest_first(toolbox: Toolbox) -> None:
    result = call(toolbox, "search_poi", keywords="美食", city="杭州", location="西湖", radius_km=2)
    distances = [poi["distance_m"] for poi in result["pois"]]
    assert distances and distances == sorted(distances) and distances[-1] <= 2000
    by_rating = call(
        toolbox, "search_poi", keywords="美食", city="杭州", location="120.15,30.25", sort_by="rating"
    )
    ratings = [poi["rating"] for poi in by_rating["pois"]]
    assert ratings == sorted(ratings, reverse=True)


def test_optional_arguments_may_be_null(toolbox: Toolbox) -> None:
    plain = call(toolbox, "search_poi", keywords="火锅", city="杭州")
    nulls = dict.fromkeys(("region", "location", "radius_km", "price_min", "price_max", "sort_by"))
    assert call(toolbox, "search_poi", keywords="火锅", city="杭州", **nulls) == plain


def test_get_poi_detail_gives_hours_in_full(toolbox: Toolbox) -> None:
    detail = call(toolbox, "get_poi_detail", id="hz-a2")
    assert detail["opening_text"] == "05-01~10-07 周二至周日 09:00-18:00；周二至周日 09:00-17:00"
    assert detail["opening_hours"]["rules"][0]["date_range"] == {"start": "05-01", "end": "10-07"}
    assert detail["stay_hours"] == [2, 3] and detail["categories"] == ["博物馆"]


def test_get_poi_detail_gives_rooms_and_what_was_derived(toolbox: Toolbox) -> None:
    detail = call(toolbox, "get_poi_detail", id="hz-h2")
    assert detail["rooms"] == [{"name": "双床房", "price": 240.0, "capacity": 2}]
    assert (detail["price"], detail["derived"]) == (120.0, ["category"])


def test_maps_geo_finds_names_and_stations(toolbox: Toolbox) -> None:
    assert call(toolbox, "maps_geo", address="西湖", city="杭州") == {
        "name": "西湖", "city": "杭州市", "kind": "attraction", "location": "120.1446,30.2478",
    }  # fmt: skip
    assert call(toolbox, "maps_geo", address="杭州东站")["kind"] == "train"


def test_maps_weather_is_climate_and_says_so(toolbox: Toolbox) -> None:
    result = call(toolbox, "maps_weather", location="西湖", date="2026-05-30", days=1)
    assert [day["date"] for day in result["days"]] == ["2026-05-30", "2026-05-31"]
    assert all(14 <= day["low"] <= day["high"] <= 28 and day["rain_chance"] == 45 for day in result["days"])
    assert "不是天气预报" in result["note"]
    dry = call(toolbox, "maps_weather", location="杭州", date="2026-07-01", days=5)
    assert len(dry["days"]) == 6 and {day["text"] for day in dry["days"]} == {"多云"}


def test_maps_weather_says_where_it_knows_nothing(toolbox: Toolbox) -> None:
    result = call(toolbox, "maps_weather", location="苏州", date="2026-05-30")
    assert result["days"] == [] and "缺少" in result["note"]


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({}, ["G7301", "D5581", "K75"]),
        ({"sort_by": "depart_time_desc"}, ["K75", "D5581", "G7301"]),
        ({"sort_by": "price"}, ["K75", "D5581", "G7301"]),
        ({"sort_by": "duration"}, ["G7301", "D5581", "K75"]),
        ({"train_type_filter": "high_speed"}, ["G7301"]),
        ({"train_type_filter": "high_speed_and_emu"}, ["G7301", "D5581"]),
        ({"train_type_filter": "regular"}, ["K75"]),
        ({"depart_time_start": "07:30", "depart_time_end": "23:10"}, ["D5581", "K75"]),
        ({"depart_time_end": "06:00"}, []),
    ],
)
def test_trains_are_filtered_and_sorted(
    toolbox: Toolbox, filters: dict[str, str], numbers: list[str]
) -> None:
    result = call(
        toolbox, "travel_search_trains", origin="上海", destination="杭州", date="2026-05-01", **filters
    )
    assert [train["number"] for train in result["trains"]] == numbers


def test_a_train_has_its_stations_times_and_price(toolbox: Toolbox) -> None:
    result = call(toolbox, "travel_search_trains", origin="上海", destination="杭州", date="2026-05-01")
    assert (result["origin"], result["destination"], result["date"]) == ("上海市", "杭州市", "2026-05-01")
    assert result["trains"][2] == {
        "number": "K75", "type": "快速", "mode": "火车", "from_station": "上海站", "to_station": "杭州站",
        "depart": "23:10", "arrive": "01:40", "day_offset": 1, "duration_minutes": 150, "price": 24.5,
        "classes": [], "stops": None,
    }  # fmt: skip


def test_flights_name_their_airports(toolbox: Toolbox) -> None:
    where = {"origin": "上海", "destination": "杭州", "date": "2026-05-01"}
    result = call(toolbox, "travel_search_flights", **where, airport="浦东机场")
    assert result["flights"] == [
        {
            "number": "CA1701", "operator": "中国国际航空", "mode": "飞机", "from_airport": "上海浦东国际机场",
            "to_airport": "杭州萧山国际机场", "depart": "12:00", "arrive": "12:50", "day_offset": 0,
            "duration_minutes": 50, "price": 420.0, "classes": [], "aircraft": "",
        }
    ]  # fmt: skip
    assert "示意" in result["note"]
    other = call(toolbox, "travel_search_flights", **where, airport="虹桥")
    assert other["flights"] == [] and "共有 1 班" in other["note"]
    back = call(toolbox, "travel_search_flights", origin="杭州", destination="上海", date="2026-05-01")
    assert "没有直达" in back["note"]
    assert back["note"].startswith("没有查到"), "a cache that lacks the day answers the same"


def test_transit_takes_the_metro_with_its_changes(toolbox: Toolbox) -> None:
    route = call(toolbox, "plan_route", origin="龙翔桥", destination="杭州东站", mode="transit", city="杭州")
    assert any("乘1号线到火车东站" in step for step in route["steps"])
    assert route["estimated"] and route["cost_per"] == "person" and route["cost"] >= 3


def test_transit_without_stations_takes_the_bus_and_short_ways_on_foot(toolbox: Toolbox) -> None:
    bus = call(toolbox, "plan_route", origin="西湖", destination="灵隐寺", mode="transit", city="杭州")
    assert "公交" in bus["steps"][0] and bus["cost"] == 2
    walk = call(
        toolbox, "plan_route", origin="知味观", destination="湖滨快捷酒店", mode="transit", city="杭州"
    )
    assert "步行" in walk["steps"][0] and walk["cost"] == 0


def test_a_drive_to_another_city_costs_fuel_and_tolls_per_car(toolbox: Toolbox) -> None:
    route = call(toolbox, "plan_route", origin="杭州", destination="苏州")
    assert (route["mode"], route["cost_per"]) == ("driving", "car")
    assert 120_000 < route["distance_m"] < 190_000 and 90 < route["duration_minutes"] < 180
    assert 100 < route["cost"] < 250 and "每车" in route["steps"][1]


def test_staying_takes_no_time(toolbox: Toolbox) -> None:
    route = call(toolbox, "plan_route", origin="西湖", destination="西湖", mode="walking")
    assert (route["distance_m"], route["duration_minutes"]) == (0, 0)


def test_compare_routes_gives_the_modes_within_reach(toolbox: Toolbox) -> None:
    near = call(toolbox, "compare_routes", origin="西湖", destination="灵隐寺")
    assert {route["mode"] for route in near["routes"]} == {"transit", "driving", "walking", "bicycling"}
    assert "steps" not in near["routes"][0]
    far = call(toolbox, "compare_routes", origin="西湖", destination="拙政园")
    assert [route["mode"] for route in far["routes"]] == ["driving"]


def test_search_along_route_gives_the_detour(toolbox: Toolbox) -> None:
    result = call(
        toolbox, "search_along_route", origin="西湖", destination="武林广场", keywords="火锅", route_range=250
    )
    assert [poi["name"] for poi in result["pois"]] == ["川味火锅", "知味观"]
    assert result["pois"][0]["detour_m"] == 2 * result["pois"][0]["distance_m"]
    wide = call(
        toolbox,
        "search_along_route",
        origin="西湖",
        destination="武林广场",
        keywords="美食",
        route_range=3000,
        poi_limit=2,
    )
    assert len(wide["pois"]) == 2


def test_web_search_answers_from_facts_and_places(toolbox: Toolbox) -> None:
    fact = call(toolbox, "web_search", query="西湖音乐喷泉几点开始")
    assert fact["answers"][0] == {
        "title": "西湖音乐喷泉表演时间", "text": "平日晚上19:30和20:00各一场，雨天取消。", "source": "the test suite",
    }  # fmt: skip
    place = call(toolbox, "web_search", query="拙政园门票多少钱")
    assert [answer["title"] for answer in place["answers"]] == ["拙政园"]
    assert "80 元" in place["answers"][0]["text"]


def test_web_search_says_when_it_knows_nothing(toolbox: Toolbox) -> None:
    result = call(toolbox, "web_search", query="股票行情")
    assert result["answers"] == [] and "没有相关信息" in result["note"]


def test_a_value_that_does_not_fit_is_left_out_and_known_to_be() -> None:
    place = read_partial(PartialPlace, {"name": "西湖", "city": 5, "price": "12", "other": 1})
    assert place is not None
    assert (place.name, place.city, place.price) == ("西湖", None, None)
    assert (place.has("price"), place.is_unfit("price")) == (True, True)
    assert (place.has("name"), place.is_unfit("name")) == (True, False)
    assert (place.has("rooms"), place.is_unfit("rooms")) == (False, False)
    assert not place.has("other")


@pytest.mark.parametrize(
    ("price", "read"), [(120, "120"), (1.5, "1.5"), (-3, "-3"), (True, "None"), ("9", "None"), (None, "None")]
)
def test_a_figure_stays_as_it_was_told(price: Any, read: str) -> None:
    place = read_partial(PartialPlace, {"price": price})
    assert place is not None
    assert str(place.price) == read


def test_an_item_that_is_no_object_counts_as_none() -> None:
    places = read_partial(PartialPlaces, {"pois": [5, {"name": "a", "rooms": [{"price": 3}, "x"]}, None]})
    assert places is not None
    assert places.pois is not None
    first, second, third = places.pois
    assert first is third is None
    assert second is not None
    assert second.rooms is not None
    assert second.rooms[1] is None


@pytest.mark.parametrize("mode", ["", 0, False, [], None])
def test_an_empty_mode_is_none(mode: Any) -> None:
    service = read_partial(PartialService, {"mode": mode})
    assert service is not None
    assert (service.mode, service.is_unfit("mode")) == (None, False)


def test_what_is_within_an_unfit_part_is_lost_with_it_alone() -> None:
    along = read_partial(PartialAlong, {"route": "A to B", "pois": [{"name": "a"}]})
    assert along is not None
    assert (along.route, along.is_unfit("route"), along.pois is not None) == (None, True, True)


@pytest.mark.parametrize("value", [None, 5, "text", [], [{}]])
def test_what_is_no_object_tells_nothing(value: Any) -> None:
    assert read_partial(PartialRoute, value) is None


def test_the_tools_own_results_fit(tiny_world: World) -> None:
    calls = {
        "search_poi": {"keywords": "景点", "city": "杭州"},
        "get_poi_detail": {"id": "hz-a1"},
        "maps_geo": {"address": "西湖", "city": "杭州"},
        "plan_route": {"origin": "120.1,30.2", "destination": "120.2,30.3", "mode": "driving"},
        "compare_routes": {"origin": "120.1,30.2", "destination": "120.2,30.3"},
        "search_along_route": {"keywords": "景点", "origin": "120.1,30.2", "destination": "120.2,30.3"},
    }
    tools = world_tools(tiny_world)
    for name, arguments in calls.items():
        outcome = tools.call(name, arguments)
        told = read_partial(TOOLS[name].partial, read_json(outcome.result))
        assert told is not None, (name, outcome)
        assert not [field for field in type(told).model_fields if told.is_unfit(field)], outcome.result
        assert isinstance(told, Partial)
