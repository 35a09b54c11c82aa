"""The built-in simulator over real results of the tiny world and over foreign records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox.calls import Call, Example
from sandbox.simulation import NearestSimulator
from sandbox.tools.language import Language
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel import TOOLSET
from tests.sandbox.simulation.conftest import MakeExample

LAKE = "120.1446,30.2478"
NEARBY_POINT = "120.1450,30.2480"


def simulated_answer(
    tool: str, arguments: dict[str, Any], *examples: Example, language: Language = "zh"
) -> Any:
    return json.loads(text_of(tool, arguments, *examples, language=language))


def text_of(tool: str, arguments: dict[str, Any], *examples: Example, language: Language = "zh") -> str:
    return NearestSimulator().simulate(
        Question(TOOLSET.validate(tool, arguments, language), examples, language, lambda call: ())
    )


def foreign(tool: str, arguments: dict[str, Any], result: object) -> Example:
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return Example(Call(tool, arguments), text, 0.8)


def names(result: dict[str, Any]) -> list[str]:
    return [poi["name"] for poi in result["pois"]]


FOOD = {"keywords": "美食", "city": "杭州"}
SIGHTS = {"keywords": "景点", "city": "杭州"}


class TestEveryAnswer:
    def test_looks_as_the_tools_own(self, example_of: MakeExample) -> None:
        example = example_of("search_poi", **FOOD)
        assert text_of("search_poi", FOOD | {"city": "杭州市"}, example) == example.result

    def test_is_the_same_bytes_whatever_the_order_of_arguments(self, example_of: MakeExample) -> None:
        example = example_of("search_poi", **FOOD)
        turned = Example(Call("search_poi", dict(reversed(FOOD.items()))), example.result, 0.9)
        cheap = FOOD | {"price_max": 100}
        assert text_of("search_poi", cheap, example) == text_of("search_poi", cheap, turned)

    def test_comes_from_no_error(self, example_of: MakeExample) -> None:
        broken = foreign("search_poi", FOOD, {"error": "too many requests"})
        assert "知味观" in names(
            simulated_answer("search_poi", FOOD, broken, example_of("search_poi", **FOOD))
        )
        assert simulated_answer("search_poi", FOOD, broken)["pois"] == []


class TestPlaces:
    def test_a_wider_circle_keeps_what_is_known(self, example_of: MakeExample) -> None:
        near = FOOD | {"location": LAKE}
        example = example_of("search_poi", **near, radius_km=2)
        assert (
            simulated_answer("search_poi", near | {"radius_km": 5}, example)["pois"]
            == json.loads(example.result)["pois"]
        )

    def test_a_smaller_circle_drops_what_lies_outside(self, example_of: MakeExample) -> None:
        near = FOOD | {"location": LAKE}
        before = example_of("search_poi", **near, radius_km=5)
        result = simulated_answer("search_poi", near | {"radius_km": 2}, before)
        expected = json.loads(example_of("search_poi", **near, radius_km=2).result)
        assert 0 < len(expected["pois"]) < len(json.loads(before.result)["pois"])
        assert (result["pois"], result["total"]) == (expected["pois"], expected["total"])

    def test_distances_are_measured_from_the_new_centre_and_order_the_list(
        self, example_of: MakeExample
    ) -> None:
        example = example_of("search_poi", **FOOD, location=LAKE)
        result = simulated_answer("search_poi", FOOD | {"location": "120.1700,30.2650"}, example)
        assert (
            result["pois"]
            == json.loads(example_of("search_poi", **FOOD, location="120.1700,30.2650").result)["pois"]
        )

    def test_no_distance_is_told_where_nothing_is_searched_around(self, example_of: MakeExample) -> None:
        around = example_of("search_poi", **FOOD, location=LAKE, radius_km=3)
        told = simulated_answer("search_poi", FOOD, around)["pois"]
        assert told and {poi["distance_m"] for poi in told} == {None}

    def test_the_total_is_what_is_known_where_a_page_was_filtered(self, example_of: MakeExample) -> None:
        """Of further pages nobody knows how much a filter leaves."""
        first = example_of("search_poi", **FOOD, page_size=3)
        assert json.loads(first.result)["total"] > 3
        cheap = simulated_answer("search_poi", FOOD | {"price_max": 100}, first)
        assert 0 < cheap["total"] == len(cheap["pois"]) < 3

    def test_a_smaller_page_is_the_start_of_the_record(self, example_of: MakeExample) -> None:
        example = example_of("search_poi", keywords="杭州", city="杭州", page_size=10)
        result = simulated_answer("search_poi", {"keywords": "杭州", "city": "杭州", "page_size": 5}, example)
        assert result["pois"] == json.loads(example.result)["pois"][:5]
        assert (result["page"], result["page_size"]) == (1, 5)
        assert result["total"] == json.loads(example.result)["total"]

    def test_a_later_page_that_the_record_holds_is_found_in_it(self, example_of: MakeExample) -> None:
        call = SIGHTS | {"page": 2, "page_size": 2}
        result = simulated_answer("search_poi", call, example_of("search_poi", **SIGHTS, page_size=20))
        assert result == json.loads(example_of("search_poi", **call).result)

    def test_a_page_after_the_last_is_empty(self, example_of: MakeExample) -> None:
        result = simulated_answer("search_poi", SIGHTS | {"page": 2}, example_of("search_poi", **SIGHTS))
        assert (result["pois"], result["page"], result["total"]) == ([], 2, 4)

    def test_a_page_that_nobody_knows_shows_the_record(self, example_of: MakeExample) -> None:
        example = example_of("search_poi", **SIGHTS, page_size=2)
        result = simulated_answer("search_poi", SIGHTS | {"page": 2, "page_size": 2}, example)
        assert result["pois"] == json.loads(example.result)["pois"]

    @pytest.mark.parametrize(
        "bounds", [{"price_max": 100}, {"price_min": 100}, {"price_min": 60, "price_max": 120}]
    )
    def test_prices_are_checked(self, example_of: MakeExample, bounds: dict[str, float]) -> None:
        result = simulated_answer("search_poi", FOOD | bounds, example_of("search_poi", **FOOD))
        expected = json.loads(example_of("search_poi", **FOOD, **bounds).result)
        assert 0 < expected["total"] < 4
        assert (result["pois"], result["total"]) == (expected["pois"], expected["total"])

    def test_an_unknown_price_passes_no_bound(self) -> None:
        example = foreign("search_poi", FOOD, {"pois": [{"name": "甲", "price": None}, {"name": "乙"}]})
        assert names(simulated_answer("search_poi", FOOD | {"price_max": 50}, example)) == ["乙"]

    @pytest.mark.parametrize("order", ["rating", "price_low", "price_high"])
    def test_another_order_is_applied(self, example_of: MakeExample, order: str) -> None:
        result = simulated_answer("search_poi", FOOD | {"sort_by": order}, example_of("search_poi", **FOOD))
        assert names(result) == names(json.loads(example_of("search_poi", **FOOD, sort_by=order).result))

    def test_an_area_of_the_city_drops_what_lies_elsewhere(self, example_of: MakeExample) -> None:
        result = simulated_answer("search_poi", FOOD | {"region": "西湖区"}, example_of("search_poi", **FOOD))
        assert names(result) == ["楼外楼（孤山路店）"]


class TestWeather:
    def test_fewer_days_are_cut(self, example_of: MakeExample) -> None:
        example = example_of("maps_weather", location="杭州", date="2026-05-10", days=4)
        asked = {"location": "杭州", "date": "2026-05-11", "days": 1}
        assert simulated_answer("maps_weather", asked, example) == json.loads(
            example_of("maps_weather", **asked).result
        )

    def test_days_of_several_records_are_put_together(self, example_of: MakeExample) -> None:
        asked = {"location": "杭州", "date": "2026-05-11", "days": 1}
        records = [example_of("maps_weather", location="杭州市", date=f"2026-05-{day}") for day in (12, 11)]
        assert simulated_answer("maps_weather", asked, *records) == json.loads(
            example_of("maps_weather", **asked).result
        )

    def test_records_at_the_calendars_end_are_passed_over(self, example_of: MakeExample) -> None:
        asked = {"location": "杭州", "date": "2026-05-11"}
        odd = Example(Call("maps_weather", {**asked, "date": "9999-12-31", "days": 3}), '"sunny"', 0.9)
        known = example_of("maps_weather", location="杭州", date="2026-05-10")
        assert simulated_answer("maps_weather", asked, odd, known)["days"] == []


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
    def test_trains_pass_the_filters_asked_for(
        self, example_of: MakeExample, filters: dict[str, str]
    ) -> None:
        result = simulated_answer(
            "travel_search_trains", self.TRIP | filters, example_of("travel_search_trains", **self.TRIP)
        )
        expected = json.loads(example_of("travel_search_trains", **self.TRIP, **filters).result)
        assert expected["trains"]
        assert result["trains"] == expected["trains"]

    @pytest.mark.parametrize(
        ("cached_with", "asked_with"),
        [
            ({"train_type_filter": "high_speed"}, {}),
            ({"train_type_filter": "high_speed"}, {"train_type_filter": "regular"}),
            ({"depart_time_start": "09:00"}, {"depart_time_start": "06:00"}),
            ({"depart_time_end": "09:00"}, {}),
        ],
    )
    def test_what_a_record_left_out_is_not_told_to_be_all(
        self, example_of: MakeExample, cached_with: dict[str, str], asked_with: dict[str, str]
    ) -> None:
        narrow = example_of("travel_search_trains", **self.TRIP, **cached_with)
        wide = example_of("travel_search_trains", **self.TRIP)
        expected = json.loads(example_of("travel_search_trains", **self.TRIP, **asked_with).result)["trains"]
        asked = self.TRIP | asked_with
        assert simulated_answer("travel_search_trains", asked, narrow)["trains"] == []
        assert simulated_answer("travel_search_trains", asked, narrow, wide)["trains"] == expected

    def test_filters_that_leave_nothing_say_so(self, example_of: MakeExample) -> None:
        asked = self.TRIP | {"depart_time_start": "23:30"}
        result = simulated_answer(
            "travel_search_trains", asked, example_of("travel_search_trains", **self.TRIP)
        )
        assert result["note"] == json.loads(example_of("travel_search_trains", **asked).result)["note"]

    def test_a_city_with_its_suffix_is_the_same_city(self, example_of: MakeExample) -> None:
        example = example_of("travel_search_trains", **self.TRIP)
        assert text_of("travel_search_trains", self.TRIP | {"origin": "上海市"}, example) == example.result

    @pytest.mark.parametrize(("airport", "found"), [("浦东", 1), ("萧山国际机场", 1), ("虹桥", 0)])
    def test_flights_by_airport(self, example_of: MakeExample, airport: str, found: int) -> None:
        example = example_of("travel_search_flights", **self.TRIP)
        result = simulated_answer("travel_search_flights", self.TRIP | {"airport": airport}, example)
        assert len(result["flights"]) == found


class TestRoutes:
    @pytest.mark.parametrize("mode", ["driving", "walking", "bicycling"])
    def test_between_points_that_are_known_it_is_computed(self, example_of: MakeExample, mode: str) -> None:
        example = example_of("plan_route", origin=LAKE, destination="灵隐寺", mode="driving")
        asked = {"origin": NEARBY_POINT, "destination": "灵隐寺", "mode": mode}
        result, expected = simulated_answer("plan_route", asked, example), example_of("plan_route", **asked)
        assert result == json.loads(expected.result)
        assert result["distance_m"] != json.loads(example.result)["distance_m"]

    def test_the_way_back_is_computed_from_the_same_ends(self, example_of: MakeExample) -> None:
        example = example_of("plan_route", origin="西湖", destination="灵隐寺", mode="driving")
        back = {"origin": "灵隐寺", "destination": "西湖", "mode": "driving"}
        assert simulated_answer("plan_route", back, example) == json.loads(
            example_of("plan_route", **back).result
        )

    def test_transit_without_a_metro_that_anybody_knows_goes_by_bus(self, example_of: MakeExample) -> None:
        example = example_of("plan_route", origin=LAKE, destination="120.2120,30.2900", mode="driving")
        asked = {"origin": LAKE, "destination": "120.2120,30.2900", "mode": "transit", "city": "杭州"}
        result = simulated_answer("plan_route", asked, example)
        assert (result["mode"], result["cost"]) == ("transit", 2)

    def test_modes_of_a_comparison_are_computed(self, example_of: MakeExample) -> None:
        example = example_of("compare_routes", origin="西湖", destination="灵隐寺")
        asked = {"origin": NEARBY_POINT, "destination": LAKE}
        result = simulated_answer("compare_routes", asked, example)
        assert {route["origin"]["location"] for route in result["routes"]} == {"120.145,30.248"}
        assert max(route["distance_m"] for route in result["routes"]) < 100

    def test_a_place_found_along_one_way_is_told_beside_another_only_where_it_lies(
        self, example_of: MakeExample
    ) -> None:
        example = example_of(
            "search_along_route", origin="灵隐寺", destination="武林广场", keywords="美食", route_range=3000
        )
        near = {"origin": LAKE, "destination": "120.1610,30.2550", "keywords": "美食", "route_range": 300}
        expected = json.loads(example_of("search_along_route", **near).result)["pois"]
        found = simulated_answer("search_along_route", near, example)["pois"]
        assert 0 < len(found) < len(json.loads(example.result)["pois"])
        assert [poi["id"] for poi in found] == [poi["id"] for poi in expected]
        assert found == expected

    def test_places_along_a_route_within_a_smaller_range_and_number(self, example_of: MakeExample) -> None:
        along = {"origin": "灵隐寺", "destination": "武林广场", "keywords": "美食", "route_range": 3000}
        example = example_of("search_along_route", **along)
        pois = json.loads(example.result)["pois"]
        assert len(pois) > 2
        narrower = simulated_answer("search_along_route", along | {"route_range": 100}, example)["pois"]
        assert narrower == [poi for poi in pois if poi["distance_m"] <= 100] != pois
        assert simulated_answer("search_along_route", along | {"poi_limit": 2}, example)["pois"] == pois[:2]


class TestForeignRecords:
    def test_plain_text_of_the_same_place_and_day_stays_as_it_is(self) -> None:
        call = {"location": "杭州", "date": "2026年5月1日"}
        example = foreign("maps_weather", call, "2026-05-01 杭州：晴，18~26℃\n")
        assert (
            text_of("maps_weather", {"location": "杭州市", "date": "2026-05-01"}, example) == example.result
        )
        other = simulated_answer("maps_weather", {"location": "杭州", "date": "2026-05-03"}, example)
        assert other["days"] == []

    def test_a_list_of_places_is_cut_to_the_page(self) -> None:
        example = foreign("search_poi", FOOD, [{"name": str(number)} for number in range(9)])
        assert len(simulated_answer("search_poi", FOOD | {"page_size": 3}, example)) == 3

    def test_echoes_are_found_at_any_depth_but_not_in_things(self) -> None:
        call = {"keywords": "火锅", "city": "杭州", "page_size": 10}
        data = {
            "data": {
                "query": {"city": "杭州市", "page_size": 10},
                "pois": [{"title": "甲", "page_size": 10}],
            }
        }
        result = simulated_answer(
            "search_poi",
            {"keywords": "火锅", "city": "杭州", "page_size": 5},
            foreign("search_poi", call, data),
        )
        assert result["data"]["query"] == {"city": "杭州市", "page_size": 5}
        assert result["data"]["pois"] == [{"title": "甲", "page_size": 10}]

    def test_steps_of_a_route_are_not_cut_to_the_number_of_places(self) -> None:
        along = {"origin": "甲", "destination": "乙", "keywords": "咖啡"}
        example = foreign(
            "search_along_route", along, {"steps": [{"go": "左"}, {"go": "右"}], "pois": [{"name": "丙"}]}
        )
        assert len(simulated_answer("search_along_route", along | {"poi_limit": 1}, example)["steps"]) == 2

    def test_an_object_with_a_field_error_among_others_is_an_answer(self) -> None:
        example = foreign("web_search", {"query": "西湖门票"}, {"error": "", "items": []})
        assert list(simulated_answer("web_search", {"query": "西湖 门票"}, example)) == ["error", "items"]

    def test_half_a_surrogate_pair_stays_escaped(self) -> None:
        odd = foreign("search_poi", FOOD, '{"a":"\\ud83d","page":1}')
        text = text_of("search_poi", FOOD | {"page": 2}, odd)
        assert '"\\ud83d"' in text and '"page":2' in text
        text.encode()

    def test_what_is_no_strict_json_is_text(self) -> None:
        asked, odd = {"query": "西湖 门票"}, foreign("web_search", {"query": "西湖门票"}, '{"a": NaN}')
        assert text_of("web_search", asked, odd) == '{"a": NaN}'

    def test_cached_arguments_of_odd_types_are_of_nothing(self) -> None:
        odd: dict[str, Any] = {
            "keywords": ["火锅"],
            "city": None,
            "page": "1",
            "radius_km": {},
            "location": 3,
        }
        result = simulated_answer(
            "search_poi", FOOD | {"page": 2}, foreign("search_poi", odd, {"pois": [{"id": "1"}]})
        )
        assert (result["page"], result["pois"]) == (2, [])
