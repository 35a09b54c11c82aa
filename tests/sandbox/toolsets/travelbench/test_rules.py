"""What TravelBench's published program lets through, and what it refuses, sentence by sentence of its rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox.tools.errors import ToolFailure
from sandbox.toolsets import TOOLSETS
from sandbox.toolsets.base import Strictness
from sandbox.toolsets.travelbench.rules import CHECKS_BY_TOOL

TRAVELBENCH = TOOLSETS["travelbench"]
NOW = {"time": "2025-10-22 10:00"}
BEIJING, SHANGHAI = "39.9087,116.3974", "31.2304, 121.4737"
TRIP = {"origin": "北京市", "destination": "上海市", "date": "2025-10-23"}


def refusal_of(name: str, arguments: Any, strictness: Strictness = "lenient", given: Any = None) -> str:
    """The text that the agent gets for a call that is an error, "" for one that passes."""
    try:
        TRAVELBENCH.validate(name, arguments, "zh", strictness, NOW if given is None else given)
    except ToolFailure as failure:
        assert failure.kind == "arguments"
        return failure.agent_message("zh")
    return ""


def routes(**other: Any) -> dict[str, Any]:
    return {"origin": BEIJING, "destination": SHANGHAI, **other}


PASSES: list[tuple[str, dict[str, Any]]] = [
    ("map_search_places", {"query": "火锅", "sort_by": "nearest", "price_category": "人均"}),
    ("map_search_places", {"query": ["火锅", "烤鸭"]}),
    ("map_search_places", {"query": "", "min_rating": None, "price_min": None, "region": ""}),
    ("map_search_places", {"query": "火锅", "center": "999,-999"}),
    ("map_search_places", {"query": "火锅", "center": BEIJING, "region": "乌有市"}),
    ("map_search_places", {"query": "火锅", "price_min": 5, "price_max": 5, "price_category": "price"}),
    ("map_search_places", {"query": "火锅", "radius": 100, "min_rating": 10, "limit": 1}),
    ("map_search_places", {"query": "火锅", "region": "成都市"}),
    ("map_compute_routes", routes(origin="上海,北京", preference="fastest", traffic_aware=True)),
    *[("map_compute_routes", routes(traffic_aware=aware)) for aware in (None, False, 0, "", [], {}, 1, 1.0)],
    *[("map_compute_routes", routes(preference=roads)) for roads in (None, "", [], {}, 7, True)],
    ("map_compute_routes", routes(intermediates=None, modes=[])),
    ("map_compute_routes", routes(departure_time="now", arrival_time="")),
    ("map_search_along_route", routes(query="x", transport_mode="rocket", buffer_radius="far")),
    ("map_search_along_route", routes(query="x", origin=",")),
    ("map_search_central_places", {"query": "x", "origins": [BEIJING, SHANGHAI], "sort_by": "price:a"}),
    ("map_search_ranking_list", {"query": "", "region": "乌有市", "max_lists": 10, "max_items": 1}),
    ("travel_search_flights", {**TRIP, "origin": "乌有国", "days": 15}),
    ("travel_search_flights", {**TRIP, "date": "1999-1-2", "days": 0.5}),
    ("travel_search_flights", {**TRIP, "date": "2025-11-06"}),
    ("travel_search_trains", {**TRIP, "origin": "四川省成都市", "destination": "浦东新区"}),
    ("weather_current_conditions", {"location": None}),
    ("weather_forecast_days", {"location": "", "date": None, "days": None}),
    ("weather_forecast_days", {"location": 7, "date": "2025-11-06", "days": 15}),
    ("web_search", {"query": 5}),
]
REFUSED_CALLS: list[tuple[str, Any, str]] = [
    ("map_search_places", {}, "还需要这些参数"),
    ("map_search_places", {"city": "x"}, "还需要这些参数"),
    ("map_search_places", {"query": "x", "city": "x", "limit": 0}, "没有这些参数：'city'"),
    ("map_search_places", {"query": "x", "price_min": 0}, "price_category"),
    (
        "map_search_places",
        {"query": "x", "price_max": 9, "price_category": "", "radius": 9},
        "price_category",
    ),
    ("map_search_places", {"query": "x", "sort_by": "price:d"}, "price_category"),
    ("map_search_places", {"query": "x", "radius": 99.9, "center": "x"}, "radius"),
    ("map_search_places", {"query": "x", "radius": 20_001}, "radius"),
    ("map_search_places", {"query": "x", "radius": None}, "Error executing tool: "),
    ("map_search_places", {"query": "x", "limit": "3"}, "Error executing tool: "),
    ("map_search_places", {"query": "x", "min_rating": -1}, "min_rating"),
    (
        "map_search_places",
        {"query": "x", "price_min": 2, "price_max": 1, "price_category": "price"},
        "高于最高价",
    ),
    ("map_search_places", {"query": "x", "limit": 0.5}, "limit"),
    ("map_search_places", {"query": "x", "center": "1,2,3"}, "center"),
    ("map_search_places", {"query": "x", "center": [1, 2]}, "center"),
    ("map_search_places", {"query": "x", "center": "北,京"}, "center"),
    ("map_search_places", {"query": "x", "region": "北京"}, "没有名为"),
    ("map_search_places", {"query": "x", "region": "鼓楼区"}, "可指多个地方"),
    ("map_search_places", {"query": "x", "region": ["北京市"]}, "Error executing tool: "),
    ("map_compute_routes", routes(origin="北京站"), "origin"),
    ("map_compute_routes", routes(destination=""), "destination"),
    ("map_compute_routes", routes(origin=None), "Error executing tool: "),
    ("map_compute_routes", routes(intermediates=[BEIJING, "a"]), "途经点 2 "),
    ("map_compute_routes", routes(departure_time="a", arrival_time="b", origin="x"), "只能给一个"),
    ("map_compute_routes", routes(modes=["driving", "flying"]), "flying"),
    ("map_compute_routes", routes(modes="driving"), "没有这种出行方式：d"),
    ("map_compute_routes", routes(modes=None), "Error executing tool: "),
    *[
        ("map_compute_routes", routes(traffic_aware=aware), "Error executing tool: ")
        for aware in ("yes", "true", "false", 2, -1, 0.5, [True], {"on": True})
    ],
    ("map_compute_routes", routes(preference=["avoid_tolls"]), "Error executing tool: "),
    ("map_compute_routes", routes(preference={"avoid": "tolls"}), "Error executing tool: "),
    ("map_compute_routes", routes(traffic_aware="yes", modes=["flying"]), "flying"),
    ("map_compute_routes", routes(traffic_aware="yes", intermediates=["a"]), "途经点 1 "),
    ("map_search_along_route", routes(query="x", limit=0), "limit"),
    ("map_search_along_route", routes(query="x", destination="1;2"), "destination"),
    ("map_search_central_places", {"query": "x", "origins": [BEIJING]}, "两个或更多"),
    ("map_search_central_places", {"query": "x", "origins": None}, "两个或更多"),
    ("map_search_central_places", {"query": "x", "origins": [BEIJING, "上海,北京"]}, "出发点 2 "),
    ("map_search_central_places", {"query": "x", "origins": [BEIJING, 3]}, "Error executing tool: "),
    ("map_search_central_places", {"query": "x", "origins": BEIJING}, "出发点 1 "),
    ("map_search_ranking_list", {"query": "x", "region": "y", "max_lists": 11}, "max_lists"),
    ("map_search_ranking_list", {"query": "x", "region": "y", "max_items": "3"}, "Error executing tool: "),
    ("travel_search_flights", {**TRIP, "days": 16}, "days"),
    ("travel_search_flights", {**TRIP, "days": None, "date": "x"}, "Error executing tool: "),
    ("travel_search_flights", {**TRIP, "date": "2025-11-07"}, "15 天"),
    ("travel_search_flights", {**TRIP, "date": "2025-02-30"}, "读不懂"),
    ("travel_search_flights", {**TRIP, "date": None}, "Error executing tool: "),
    ("travel_search_trains", {**TRIP, "origin": "北京"}, "出发地："),
    ("travel_search_trains", {**TRIP, "destination": "朝阳区"}, "北京市朝阳区(110105)"),
    ("travel_search_trains", {**TRIP, "origin": ""}, "出发地："),
    ("weather_forecast_days", {"location": "x"}, "还需要这些参数：'date'"),
    ("weather_forecast_days", {"location": "x", "date": None, "days": 0}, "days"),
    ("weather_forecast_days", {"location": "x", "date": "2025-11-07"}, "15 天"),
    ("web_search", {"q": "x"}, "还需要这些参数：query"),
    ("web_search", '{"query": ', "还需要这些参数"),
    ("web_search", {"query": "x", "name": "y"}, "Error executing tool: "),
    ("web_search", {"query": "x", "time": "y"}, "Error executing tool: "),
]


@pytest.mark.parametrize(("name", "arguments"), PASSES)
def test_the_published_program_lets_it_through(name: str, arguments: dict[str, Any]) -> None:
    assert refusal_of(name, arguments) == ""


@pytest.mark.parametrize(("name", "arguments", "says"), REFUSED_CALLS)
def test_the_published_program_refuses_it(name: str, arguments: Any, says: str) -> None:
    told = refusal_of(name, arguments)
    plain = told if told.startswith("Error") else json.loads(told)["error"]
    assert says in plain


def test_an_end_of_a_flight_that_is_empty_gets_a_bare_sentence() -> None:
    told = refusal_of("travel_search_flights", {**TRIP, "origin": "", "date": "2025-02-30"})
    assert told == "参数错误：出发地和目的地不能为空"


def test_a_tool_that_there_is_not_is_named_as_the_published_program_does() -> None:
    for strictness in ("strict", "lenient"):
        assert refusal_of("search_poi", {"query": "x"}, strictness) == (
            "Error executing tool: Tool not found: search_poi"
        )


@pytest.mark.parametrize("time", ["", "noon", "2025-10-32 10:00"])
def test_no_day_is_in_reach_of_a_time_that_cannot_be_read(time: str) -> None:
    assert "日期无法核对" in refusal_of("travel_search_flights", TRIP, given={"time": time})


def test_days_in_reach_are_counted_from_the_task_s_time() -> None:
    later = {"time": "2025-10-23 00:00"}
    day = {"location": "x", "date": "2025-11-07"}
    assert refusal_of("weather_forecast_days", day) and not refusal_of(
        "weather_forecast_days", day, given=later
    )


@pytest.mark.parametrize(
    ("name", "arguments"),
    [case for case in PASSES if case[1].get("query") != "" or "min_rating" not in case[1]],
)
def test_what_a_schema_forbids_is_an_error_under_the_strict_reading(
    name: str, arguments: dict[str, Any]
) -> None:
    """The lenient list has calls that suit the schema as well: those pass both."""
    try:
        TRAVELBENCH.tools[name].arguments.model_validate(arguments)
        suits = True
    except ValueError:
        suits = False
    assert bool(refusal_of(name, arguments, "strict")) == (not suits)


@pytest.mark.parametrize(("name", "arguments", "says"), REFUSED_CALLS)
def test_whatever_the_published_program_refuses_is_an_error_under_the_strict_reading_too(
    name: str, arguments: Any, says: str
) -> None:
    assert refusal_of(name, arguments, "strict")


def test_the_checks_name_the_arguments_that_models_are_told_of() -> None:
    for name, tool in TRAVELBENCH.tools.items():
        checked, fields = CHECKS_BY_TOOL[name], tool.arguments.model_fields
        assert {*checked.required_names, *checked.optional} == {*fields}
        assert {*checked.required_names} == {field for field, how in fields.items() if how.is_required()}
