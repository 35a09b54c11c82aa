"""TravelBench's tools over a world: what they list, and the honest sentence where they have nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox.backends import WorldBackend
from sandbox.cache.keys import call_of, key_of
from sandbox.calls import Call
from sandbox.toolbox import Toolbox
from sandbox.toolbox.world import WorldAnswers
from sandbox.toolsets import TOOLSETS
from sandbox.toolsets.travelbench import areas
from sandbox.toolsets.travelbench.places import NOTHING_FOUND
from sandbox.worlds import World

TRAVELBENCH = TOOLSETS["travelbench"]
NOW = {"time": "2025-10-22 10:00"}
LAKE, MUSEUM = "30.2478,120.1446", "30.2560,120.1420"


@pytest.fixture
def tools(tiny_world: World) -> Toolbox:
    answers = WorldAnswers(WorldBackend(tiny_world, TRAVELBENCH))
    return Toolbox(answers, "zh", toolset=TRAVELBENCH, strictness="lenient", given=NOW)


def answer_of(tools: Toolbox, name: str, **arguments: Any) -> Any:
    outcome = tools.call(name, arguments)
    assert (outcome.error_kind, outcome.source) == ("", "world")
    return json.loads(outcome.result)


def test_places_have_coordinates_with_the_latitude_first(tools: Toolbox) -> None:
    (lake, *_) = answer_of(tools, "map_search_places", query="西湖", region="杭州市")["places"]
    assert (lake["name"], lake["coordinates"], lake["rating"]) == ("西湖", "30.2478,120.1446", 4.9)


def test_places_around_a_point_lie_within_the_radius(tools: Toolbox) -> None:
    near = answer_of(tools, "map_search_places", query="景点", center=LAKE, radius=1500, sort_by="distance")[
        "places"
    ]
    assert near[0]["distance_m"] == 0
    assert all(place["distance_m"] <= 1500 for place in near)
    assert [place["distance_m"] for place in near] == sorted(place["distance_m"] for place in near)


def test_a_place_in_the_middle_is_measured_from_every_point(tools: Toolbox) -> None:
    (first, *_) = answer_of(
        tools, "map_search_central_places", query="景点", origins=[LAKE, MUSEUM], sort_by="total_distance"
    )["places"]
    assert first["largest_distance_m"] <= first["total_distance_m"] <= 2 * first["largest_distance_m"]
    assert abs(first["mean_distance_m"] * 2 - first["total_distance_m"]) <= 1


def test_a_route_has_a_way_for_each_mode_that_reaches_so_far(tools: Toolbox) -> None:
    route = answer_of(
        tools,
        "map_compute_routes",
        origin=LAKE,
        destination="31.299,120.585",
        modes=["walking", "driving", "truck"],
        departure_time="2025-10-22T10:00:00",
    )
    assert [way["mode"] for way in route["routes"]] == ["driving", "truck"]
    assert route["routes"][0]["arrival"] > "2025-10-22T10:00"


def test_places_by_the_way_are_told_as_others_without_rating_and_cost(tools: Toolbox) -> None:
    (first, *_) = answer_of(tools, "map_search_along_route", query="景点", origin=LAKE, destination=MUSEUM)[
        "places"
    ]
    (same, *_) = answer_of(tools, "map_search_places", query=first["name"], region="杭州市")["places"]
    alike = {*same} - {"rating", "cost", "distance_m"}
    assert {*first} == alike | {"distance_m", "tags"}
    assert {name: first[name] for name in alike} == {name: same[name] for name in alike}


def test_trains_are_told_for_every_day_asked_about(tools: Toolbox) -> None:
    days = answer_of(
        tools, "travel_search_trains", origin="上海市", destination="杭州市", date="2025-10-31", days=2
    )["days"]
    assert [day["date"] for day in days] == ["2025-10-31", "2025-11-01", "2025-11-02"]
    assert days[0]["trains"] and days[0]["trains"] == days[2]["trains"]


def test_the_weather_now_is_that_of_the_task_s_day(tiny_world: World) -> None:
    answers = WorldAnswers(WorldBackend(tiny_world, TRAVELBENCH))
    tools = Toolbox(answers, "zh", toolset=TRAVELBENCH, given={"time": "2025-05-21 10:00"})
    now = answer_of(tools, "weather_current_conditions", location="杭州市")
    forecast = answer_of(tools, "weather_forecast_days", location="杭州市", date="2025-05-21", days=1)
    (today, tomorrow) = forecast["days"]
    assert (today["date"], today["day_label"], tomorrow["date"]) == ("2025-05-21", "周三", "2025-05-22")
    assert {key: now[key] for key in ("condition", "low", "high")} == {
        key: today[key] for key in ("condition", "low", "high")
    }


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("map_search_places", {"query": "景点", "region": "乌鲁木齐市"}),
        ("map_search_places", {"query": "景点", "center": "43.8,87.6"}),
        ("map_search_along_route", {"query": "景点", "origin": "甲,乙", "destination": LAKE}),
        ("map_compute_routes", {"origin": "上海,北京", "destination": LAKE}),
        ("map_search_central_places", {"query": "景点", "origins": [LAKE, "43.8,87.6"]}),
        ("map_search_ranking_list", {"query": "景点", "region": "火星"}),
        ("travel_search_flights", {"origin": "乌有国", "destination": "杭州市", "date": "2025-10-23"}),
        ("travel_search_trains", {"origin": "拉萨市", "destination": "杭州市", "date": "2025-10-23"}),
        ("weather_current_conditions", {"location": None}),
        ("weather_forecast_days", {"location": "杭州市", "date": None}),
        ("web_search", {"query": ["量子"]}),
    ],
)
def test_outside_the_world_nothing_is_found_and_it_is_no_error(
    tools: Toolbox, name: str, arguments: dict[str, Any]
) -> None:
    outcome = tools.call(name, arguments)
    assert (outcome.result, outcome.error_kind, outcome.source) == (NOTHING_FOUND, "", "world")


def test_another_hour_is_another_cached_call() -> None:
    call = Call("travelbench.web_search", {"query": "潮汐", "b": 1}, NOW)
    key = key_of(call, "published")
    assert key == '[["params","{\\"b\\": 1, \\"query\\": \\"潮汐\\"}"],["time","2025-10-22 10:00"]]'
    assert call_of("travelbench.web_search", key) == call
    assert key != key_of(Call(call.tool, call.arguments, {"time": "2025-10-22 11:00"}), "published")


def test_a_name_means_a_division_by_its_path_or_by_an_ending_of_one_path_alone() -> None:
    paths = [*areas.divisions()]
    for division in paths[::37]:
        assert areas.resolve(division.path) == division
        same = [one for one in paths if one.path.endswith(division.name)]
        if len(same) > 1 and division.name not in {one.path for one in paths}:
            with pytest.raises(areas.AmbiguousDivision):
                areas.resolve(division.name)
        else:
            assert areas.resolve(division.name).path.endswith(division.name)
    for unknown in ("北京", "杭州", "", "市辖"):
        with pytest.raises(areas.NoSuchDivision):
            areas.resolve(unknown)
