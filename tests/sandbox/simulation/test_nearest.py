"""The built-in simulator over real results of the tiny world and over foreign records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox.calls import Call, Example
from sandbox.simulation import NearestSimulator
from sandbox.toolbox.validation import validated
from sandbox.tools.language import Language
from sandbox.tools.registry import TOOLS
from sandbox.worlds.geo import distance_m, parse_point
from tests.sandbox.simulation.conftest import Cached

LAKE = "120.1446,30.2478"
NEARBY = "120.1450,30.2480"


def simulated(tool: str, arguments: dict[str, Any], *examples: Example, language: Language = "zh") -> Any:
    return json.loads(text_of(tool, arguments, *examples, language=language))


def text_of(tool: str, arguments: dict[str, Any], *examples: Example, language: Language = "zh") -> str:
    return NearestSimulator().simulate(validated(tool, arguments, language), examples, language)


def foreign(tool: str, arguments: dict[str, Any], result: object) -> Example:
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return Example(Call(tool, arguments), text, 0.8)


def names(result: dict[str, Any]) -> list[str]:
    return [poi["name"] for poi in result["pois"]]


FOOD = {"keywords": "美食", "city": "杭州"}
SIGHTS = {"keywords": "景点", "city": "杭州"}


class TestEveryAnswer:
    def test_says_last_that_it_is_simulated_and_from_what(self, cached: Cached) -> None:
        result = simulated("search_poi", FOOD | {"keywords": "吃的"}, cached("search_poi", **FOOD))
        assert list(result)[-1] == "simulated"
        assert '{"city":"杭州","keywords":"美食"}' in result["simulated"]
        assert result["simulated"].startswith("模拟结果")

    def test_says_so_in_the_language_of_the_call(self, cached: Cached) -> None:
        result = simulated("search_poi", SIGHTS, cached("search_poi", **FOOD), language="en")
        assert result["simulated"].startswith("Simulated: ")

    def test_is_the_same_bytes_whatever_the_order_of_arguments(self, cached: Cached) -> None:
        example = cached("search_poi", **FOOD)
        turned = Example(Call("search_poi", dict(reversed(FOOD.items()))), example.result, 0.9)
        assert text_of("search_poi", SIGHTS, example) == text_of("search_poi", SIGHTS, turned)

    def test_is_the_record_but_for_that_field_where_nothing_can_be_carried_over(self, cached: Cached) -> None:
        example = cached("get_poi_detail", id="hz-a1")
        result = simulated("get_poi_detail", {"id": "hz-a9"}, example)
        assert {name: each for name, each in result.items() if name != "simulated"} == json.loads(
            example.result
        )

    def test_comes_from_the_first_example_that_is_no_error(self, cached: Cached) -> None:
        broken = cached("search_poi", keywords="美食", city="火星")
        assert json.loads(broken.result).keys() == {"error"}
        result = simulated(
            "search_poi", SIGHTS, broken, cached("search_poi", **FOOD), cached("search_poi", **SIGHTS)
        )
        assert "知味观" in names(result)

    def test_is_the_nearest_error_as_it_is_where_all_are(self, cached: Cached) -> None:
        first, second = (cached("search_poi", keywords="美食", city=city) for city in ("火星", "木星"))
        assert text_of("search_poi", SIGHTS, first, second) == first.result


class TestPlaces:
    def test_a_wider_circle_keeps_what_is_known(self, cached: Cached) -> None:
        near = FOOD | {"location": LAKE}
        example = cached("search_poi", **near, radius_km=2)
        assert (
            simulated("search_poi", near | {"radius_km": 5}, example)["pois"]
            == json.loads(example.result)["pois"]
        )

    def test_a_smaller_circle_drops_what_lies_outside(self, cached: Cached) -> None:
        near = FOOD | {"location": LAKE}
        before = cached("search_poi", **near, radius_km=5)
        result = simulated("search_poi", near | {"radius_km": 2}, before)
        expected = json.loads(cached("search_poi", **near, radius_km=2).result)
        assert 0 < len(expected["pois"]) < len(json.loads(before.result)["pois"])
        assert (result["pois"], result["total"]) == (expected["pois"], expected["total"])

    def test_distances_are_measured_from_the_new_centre_and_order_the_list(self, cached: Cached) -> None:
        example = cached("search_poi", **FOOD, location=LAKE)
        result = simulated("search_poi", FOOD | {"location": "120.1700,30.2650"}, example)
        assert (
            result["pois"]
            == json.loads(cached("search_poi", **FOOD, location="120.1700,30.2650").result)["pois"]
        )

    def test_a_centre_known_by_name_only_leaves_distances_alone(self, cached: Cached) -> None:
        example = cached("search_poi", **FOOD, location=LAKE)
        result = simulated("search_poi", FOOD | {"location": "武林广场"}, example)
        assert result["pois"] == json.loads(example.result)["pois"]

    def test_a_smaller_page_is_the_start_of_the_record(self, cached: Cached) -> None:
        example = cached("search_poi", keywords="杭州", city="杭州", page_size=10)
        result = simulated("search_poi", {"keywords": "杭州", "city": "杭州", "page_size": 5}, example)
        assert result["pois"] == json.loads(example.result)["pois"][:5]
        assert (result["page"], result["page_size"]) == (1, 5)
        assert result["total"] == json.loads(example.result)["total"]

    def test_a_later_page_that_the_record_holds_is_found_in_it(self, cached: Cached) -> None:
        call = SIGHTS | {"page": 2, "page_size": 2}
        result = simulated("search_poi", call, cached("search_poi", **SIGHTS, page_size=20))
        assert result == json.loads(cached("search_poi", **call).result) | {"simulated": result["simulated"]}

    def test_a_page_after_the_last_is_empty(self, cached: Cached) -> None:
        result = simulated("search_poi", SIGHTS | {"page": 2}, cached("search_poi", **SIGHTS))
        assert (result["pois"], result["page"], result["total"]) == ([], 2, 4)

    def test_a_page_that_nobody_knows_shows_the_record(self, cached: Cached) -> None:
        example = cached("search_poi", **SIGHTS, page_size=2)
        result = simulated("search_poi", SIGHTS | {"page": 2, "page_size": 2}, example)
        assert result["pois"] == json.loads(example.result)["pois"]

    @pytest.mark.parametrize(
        "bounds", [{"price_max": 100}, {"price_min": 100}, {"price_min": 60, "price_max": 120}]
    )
    def test_prices_are_checked(self, cached: Cached, bounds: dict[str, float]) -> None:
        result = simulated("search_poi", FOOD | bounds, cached("search_poi", **FOOD))
        expected = json.loads(cached("search_poi", **FOOD, **bounds).result)
        assert 0 < expected["total"] < 4
        assert (result["pois"], result["total"]) == (expected["pois"], expected["total"])

    def test_an_unknown_price_passes_no_bound(self) -> None:
        example = foreign("search_poi", FOOD, {"pois": [{"name": "甲", "price": None}, {"name": "乙"}]})
        assert names(simulated("search_poi", FOOD | {"price_max": 50}, example)) == ["乙"]

    @pytest.mark.parametrize("order", ["rating", "price_low", "price_high"])
    def test_another_order_is_applied(self, cached: Cached, order: str) -> None:
        result = simulated("search_poi", FOOD | {"sort_by": order}, cached("search_poi", **FOOD))
        assert names(result) == names(json.loads(cached("search_poi", **FOOD, sort_by=order).result))

    def test_the_city_of_a_place_is_a_fact(self, cached: Cached) -> None:
        example = cached("search_poi", keywords="火锅", city="杭州市")
        result = simulated("search_poi", {"keywords": "火锅", "city": "苏州市"}, example)
        assert {poi["city"] for poi in result["pois"]} == {"杭州市"}

    def test_the_id_of_a_place_is_a_fact(self, cached: Cached) -> None:
        result = simulated("get_poi_detail", {"id": "hz-a2"}, cached("get_poi_detail", id="hz-a1"))
        assert (result["id"], result["name"]) == ("hz-a1", "西湖")

    def test_rooms_are_no_list_of_answers(self, cached: Cached) -> None:
        example = cached("get_poi_detail", id="hz-h1")
        assert len(simulated("get_poi_detail", {"id": "hz-h3"}, example)["rooms"]) == 2

    def test_coordinates_stay_with_their_name(self, cached: Cached) -> None:
        result = simulated(
            "maps_geo", {"address": "西湖景区", "city": "苏州市"}, cached("maps_geo", address="西湖")
        )
        assert (result["name"], result["city"], result["location"]) == ("西湖", "杭州市", LAKE)


class TestDates:
    def test_weather_of_the_next_day_has_its_dates(self, cached: Cached) -> None:
        example = cached("maps_weather", location="杭州", date="2026-05-31", days=0)
        result = simulated("maps_weather", {"location": "杭州", "date": "2026-06-01"}, example)
        assert [day["date"] for day in result["days"]] == ["2026-06-01"]
        assert result["days"][0]["low"] == json.loads(example.result)["days"][0]["low"]

    def test_fewer_days_are_cut(self, cached: Cached) -> None:
        example = cached("maps_weather", location="杭州", date="2026-05-10", days=4)
        result = simulated("maps_weather", {"location": "杭州", "date": "2026-05-11", "days": 1}, example)
        assert [day["date"] for day in result["days"]] == ["2026-05-11", "2026-05-12"]

    def test_the_city_of_the_weather_is_a_fact(self, cached: Cached) -> None:
        example = cached("maps_weather", location="杭州", date="2026-05-10")
        assert (
            simulated("maps_weather", {"location": "苏州", "date": "2026-05-10"}, example)["city"] == "杭州市"
        )

    def test_trains_of_another_day(self, cached: Cached) -> None:
        trip = {"origin": "上海", "destination": "杭州"}
        result = simulated(
            "travel_search_trains",
            trip | {"date": "2026-05-02"},
            cached("travel_search_trains", **trip, date="2026-05-01"),
        )
        expected = json.loads(cached("travel_search_trains", **trip, date="2026-05-02").result)
        assert result == expected | {"simulated": result["simulated"]}

    def test_date_times_move_and_weekdays_do_not(self) -> None:
        call = {"origin": "上海", "destination": "杭州", "date": "2026-02-28"}
        example = foreign(
            "travel_search_flights",
            call,
            {"2026-02-28": [["周六", "2026-02-28T07:00:00+08:00", "12026-02-28"]]},
        )
        result = simulated("travel_search_flights", call | {"date": "2026-03-02"}, example)
        assert result["2026-03-02"] == [["周六", "2026-03-02T07:00:00+08:00", "12026-02-28"]]

    def test_the_end_of_the_calendar_stays(self) -> None:
        call = {"location": "杭州", "date": "2026-05-01"}
        example = foreign("maps_weather", call, {"until": "9999-12-31", "odd": "2026-02-30"})
        result = simulated("maps_weather", call | {"date": "2026-05-03"}, example)
        assert (result["until"], result["odd"]) == ("9999-12-31", "2026-02-30")


class TestServices:
    TRIP = {"origin": "上海", "destination": "杭州", "date": "2026-05-01"}

    @pytest.mark.parametrize(
        "filters",
        [
            {"depart_time_start": "09:30"},
            {"depart_time_start": "07:00", "depart_time_end": "09:30"},
            {"train_type_filter": "high_speed"},
            {"train_type_filter": "high_speed_and_emu"},
            {"train_type_filter": "regular"},
            {"sort_by": "price"},
            {"sort_by": "depart_time_desc"},
            {"sort_by": "duration"},
        ],
    )
    def test_trains_pass_the_filters_asked_for(self, cached: Cached, filters: dict[str, str]) -> None:
        result = simulated(
            "travel_search_trains", self.TRIP | filters, cached("travel_search_trains", **self.TRIP)
        )
        expected = json.loads(cached("travel_search_trains", **self.TRIP, **filters).result)
        assert expected["trains"]
        assert result["trains"] == expected["trains"]

    def test_another_pair_of_cities_is_carried_over_and_stations_are_not(self, cached: Cached) -> None:
        example = cached("travel_search_trains", **self.TRIP)
        result = simulated("travel_search_trains", self.TRIP | {"origin": "苏州"}, example)
        assert (result["origin"], result["destination"]) == ("苏州", "杭州市")
        assert result["trains"] == json.loads(example.result)["trains"]

    def test_a_city_with_its_suffix_is_the_same_city(self, cached: Cached) -> None:
        example = cached("travel_search_trains", **self.TRIP)
        assert (
            simulated("travel_search_trains", self.TRIP | {"origin": "上海市"}, example)["origin"] == "上海市"
        )

    @pytest.mark.parametrize(("airport", "found"), [("浦东", 1), ("萧山国际机场", 1), ("虹桥", 0)])
    def test_flights_by_airport(self, cached: Cached, airport: str, found: int) -> None:
        example = cached("travel_search_flights", **self.TRIP)
        result = simulated("travel_search_flights", self.TRIP | {"airport": airport}, example)
        assert len(result["flights"]) == found


class TestRoutes:
    def test_an_end_moved_by_coordinates_has_the_new_ones(self, cached: Cached) -> None:
        example = cached("plan_route", origin=LAKE, destination="灵隐寺", mode="driving")
        result = simulated(
            "plan_route", {"origin": NEARBY, "destination": "灵隐寺", "mode": "driving"}, example
        )
        expected = json.loads(
            cached("plan_route", origin=NEARBY, destination="灵隐寺", mode="driving").result
        )
        assert (result["origin"], result["destination"]) == (expected["origin"], expected["destination"])
        assert result["distance_m"] == json.loads(example.result)["distance_m"]

    def test_an_end_known_by_name_keeps_its_name_and_coordinates(self, cached: Cached) -> None:
        example = cached("plan_route", origin="西湖", destination="灵隐寺", mode="driving")
        result = simulated(
            "plan_route", {"origin": "断桥", "destination": "灵隐寺", "mode": "driving"}, example
        )
        assert result["origin"] == json.loads(example.result)["origin"]

    def test_the_mode_is_carried_over(self, cached: Cached) -> None:
        ends = {"origin": "西湖", "destination": "灵隐寺"}
        result = simulated(
            "plan_route", ends | {"mode": "walking"}, cached("plan_route", **ends, mode="bicycling")
        )
        assert result["mode"] == "walking"

    def test_all_modes_of_a_comparison_stay(self, cached: Cached) -> None:
        example = cached("compare_routes", origin="西湖", destination="灵隐寺", city="杭州")
        result = simulated("compare_routes", {"origin": LAKE, "destination": "灵隐寺"}, example)
        assert result["routes"] == json.loads(example.result)["routes"]

    def test_places_along_a_route_within_a_smaller_range_and_number(self, cached: Cached) -> None:
        along = {"origin": "灵隐寺", "destination": "武林广场", "keywords": "美食", "route_range": 3000}
        example = cached("search_along_route", **along)
        pois = json.loads(example.result)["pois"]
        assert len(pois) > 2
        narrower = simulated("search_along_route", along | {"route_range": 1000}, example)["pois"]
        assert narrower == [poi for poi in pois if poi["distance_m"] <= 1000] != pois
        assert simulated("search_along_route", along | {"poi_limit": 2}, example)["pois"] == pois[:2]


class TestSearch:
    def test_the_query_is_carried_over_and_the_answers_stay(self, cached: Cached) -> None:
        example = cached("web_search", query="西湖音乐喷泉")
        result = simulated("web_search", {"query": "音乐喷泉几点"}, example)
        assert result["query"] == "音乐喷泉几点"
        assert result["answers"] == json.loads(example.result)["answers"] != []


class TestForeignRecords:
    def test_plain_text_gets_a_last_line_and_moved_dates(self) -> None:
        call = {"location": "杭州", "date": "2026-05-01"}
        example = foreign("maps_weather", call, "2026-05-01 杭州：晴，18~26℃\n")
        first, last = text_of("maps_weather", call | {"date": "2026-05-03"}, example).split("\n")
        assert first == "2026-05-03 杭州：晴，18~26℃"
        assert last.startswith("模拟结果")

    def test_a_list_is_wrapped(self) -> None:
        result = simulated(
            "web_search", {"query": "门票"}, foreign("web_search", {"query": "票"}, ["一", "二"])
        )
        assert list(result) == ["result", "simulated"]
        assert result["result"] == ["一", "二"]

    def test_a_list_of_places_is_cut_to_the_page(self) -> None:
        example = foreign("search_poi", FOOD, [{"name": str(number)} for number in range(9)])
        assert len(simulated("search_poi", FOOD | {"page_size": 3}, example)["result"]) == 3

    def test_echoes_are_found_at_any_depth_but_not_in_things(self) -> None:
        call = {"keywords": "火锅", "city": "杭州"}
        data = {
            "data": {
                "query": {"city": "杭州市", "keywords": "火锅"},
                "pois": [{"title": "甲", "city": "杭州"}],
            }
        }
        result = simulated(
            "search_poi", {"keywords": "面", "city": "苏州"}, foreign("search_poi", call, data)
        )
        assert result["data"]["query"] == {"city": "苏州", "keywords": "面"}
        assert result["data"]["pois"] == [{"title": "甲", "city": "杭州"}]

    def test_steps_of_a_route_are_not_cut_to_the_number_of_places(self) -> None:
        along = {"origin": "甲", "destination": "乙", "keywords": "咖啡"}
        example = foreign(
            "search_along_route", along, {"steps": [{"go": "左"}, {"go": "右"}], "pois": [{"name": "丙"}]}
        )
        assert len(simulated("search_along_route", along | {"poi_limit": 1}, example)["steps"]) == 2

    def test_an_object_with_a_field_error_among_others_is_an_answer(self) -> None:
        example = foreign("web_search", {"query": "票"}, {"error": "", "items": []})
        assert list(simulated("web_search", {"query": "门票"}, example)) == ["error", "items", "simulated"]

    def test_half_a_surrogate_pair_stays_escaped(self) -> None:
        text = text_of(
            "web_search", {"query": "门票"}, foreign("web_search", {"query": "票"}, '{"a":"\\ud83d"}')
        )
        assert '"\\ud83d"' in text
        text.encode()

    def test_what_is_no_strict_json_is_text(self) -> None:
        text = text_of("web_search", {"query": "门票"}, foreign("web_search", {"query": "票"}, '{"a": NaN}'))
        assert text.startswith('{"a": NaN}\n模拟结果')

    def test_cached_arguments_of_odd_types_carry_nothing_over(self) -> None:
        odd: dict[str, Any] = {
            "keywords": ["火锅"],
            "city": None,
            "page": "1",
            "page_size": True,
            "radius_km": {},
            "location": 3,
        }
        result = simulated(
            "search_poi", FOOD | {"page": 2}, foreign("search_poi", odd, {"page": 1, "pois": []})
        )
        assert (result["page"], result["pois"]) == (1, [])


def test_every_tool_has_a_result_here() -> None:
    """A new tool must be looked at: what of its results echoes an argument, and what is a fact?"""
    assert len(TOOLS) == 10


def test_the_distance_used_is_the_worlds(cached: Cached) -> None:
    result = simulated("search_poi", FOOD | {"location": NEARBY}, cached("search_poi", **FOOD, location=LAKE))
    centre = parse_point(NEARBY)
    assert centre is not None
    for poi in result["pois"]:
        point = parse_point(poi["location"])
        assert point is not None
        assert poi["distance_m"] == round(distance_m(centre, point))
