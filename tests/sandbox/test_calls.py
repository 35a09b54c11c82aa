"""Calls that are wrong, and what the agent is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.toolbox import world_tools
from sandbox.toolsets.grouptravel import TOOLSET
from sandbox.toolsets.grouptravel.tools import TOOLS
from sandbox.worlds import World
from tests.properties import examples

SEARCH = {"keywords": "火锅", "city": "杭州"}
TRAINS = {"origin": "上海", "destination": "杭州", "date": "2026-05-01"}
ROUTE = {"origin": "西湖", "destination": "灵隐寺"}


def error_of(world: World, name: str, arguments: Any, language: Any = "zh") -> str:
    outcome = world_tools(world, language).call(name, arguments)
    assert outcome.error, outcome.result
    result = json.loads(outcome.result)
    assert list(result) == ["error"]
    return str(result["error"])


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("search_poi", {"city": "杭州"}, ["缺少必填参数 keywords"]),
        ("search_poi", SEARCH | {"limit": 3}, ["未知参数 limit", "page_size"]),
        ("search_poi", SEARCH | {"page": "2"}, ["page", "整数", '"2"']),
        ("search_poi", SEARCH | {"page": True}, ["page", "整数", "true"]),
        ("search_poi", SEARCH | {"page": 1.0}, ["page", "整数"]),
        ("search_poi", SEARCH | {"page": None}, ["page", "null"]),
        ("search_poi", SEARCH | {"page_size": None}, ["page_size", "null"]),
        ("search_poi", SEARCH | {"page_size": 21}, ["page_size", "≤ 20", "21"]),
        ("search_poi", SEARCH | {"page": 0}, ["page", "≥ 1"]),
        ("search_poi", SEARCH | {"radius_km": 0}, ["radius_km", "> 0"]),
        ("search_poi", SEARCH | {"radius_km": True}, ["radius_km", "数字"]),
        ("search_poi", SEARCH | {"price_min": "30"}, ["price_min", "数字"]),
        ("search_poi", SEARCH | {"price_min": float("nan")}, ["price_min"]),
        ("search_poi", SEARCH | {"price_min": 9, "price_max": 3}, ["price_min", "price_max"]),
        ("search_poi", SEARCH | {"sort_by": "best"}, ["sort_by", "relevance", "price_low", "best"]),
        ("search_poi", SEARCH | {"sort_by": "distance"}, ["sort_by", "location"]),
        ("search_poi", SEARCH | {"city": "巴黎"}, ["city", "巴黎", "杭州市", "苏州市"]),
        ("search_poi", SEARCH | {"city": 5}, ["city", "字符串"]),
        ("search_poi", SEARCH | {"keywords": " ，"}, ["keywords"]),
        ("search_poi", SEARCH | {"keywords": "\ud800火"}, ["keywords"]),
        ("search_poi", SEARCH | {"location": "没有的地方"}, ["location", "没有的地方"]),
        ("get_poi_detail", {"id": "nothing"}, ["id", "nothing", "search_poi"]),
        ("get_poi_detail", {"id": 7}, ["id", "字符串"]),
        ("search_poi", SEARCH | {"region": ""}, ["region"]),
        ("search_poi", SEARCH | {"location": " "}, ["location"]),
        ("search_poi", SEARCH | {"keywords": ["火锅"]}, ["keywords", "字符串", "数组"]),
        ("maps_geo", {"address": "西湖", "city": ""}, ["city"]),
        ("compare_routes", ROUTE | {"city": ""}, ["city"]),
        ("travel_search_flights", TRAINS | {"airport": " "}, ["airport"]),
        ("maps_geo", {"address": "拙政园", "city": "杭州"}, ["address", "拙政园"]),
        ("maps_weather", {"location": "杭州", "date": "2026-02-30"}, ["date", "YYYY-MM-DD"]),
        ("maps_weather", {"location": "杭州", "date": "2026-05-01", "days": 6}, ["days", "≤ 5"]),
        ("maps_weather", {"location": "杭州", "date": "9999-12-31", "days": 1}, ["date"]),
        ("maps_weather", {"location": "10,10", "date": "2026-05-01"}, ["location", "杭州市"]),
        ("travel_search_trains", TRAINS | {"destination": "上海"}, ["destination", "origin"]),
        ("travel_search_trains", TRAINS | {"depart_time_start": "25:00"}, ["depart_time_start", "HH:MM"]),
        ("travel_search_trains", TRAINS | {"depart_time_start": "9:00"}, ["depart_time_start", "HH:MM"]),
        (
            "travel_search_trains",
            TRAINS | {"depart_time_start": "12:00", "depart_time_end": "08:00"},
            ["depart_time_start", "depart_time_end"],
        ),
        ("travel_search_trains", TRAINS | {"train_type_filter": "G"}, ["train_type_filter", "high_speed"]),
        ("travel_search_flights", TRAINS | {"sort_by": "depart_time_desc"}, ["sort_by", "duration"]),
        ("plan_route", ROUTE | {"mode": "transit"}, ["city", "transit"]),
        ("plan_route", ROUTE | {"mode": "flying"}, ["mode", "driving"]),
        ("plan_route", {"origin": "西湖", "destination": "拙政园", "mode": "walking"}, ["mode", "driving"]),
        ("search_along_route", ROUTE | {"keywords": "美食", "route_range": 3001}, ["route_range", "3000"]),
        ("search_along_route", ROUTE | {"keywords": "美食", "route_index": 2}, ["route_index"]),
        ("search_along_route", ROUTE | {"keywords": "美食", "poi_limit": 51}, ["poi_limit", "50"]),
        ("web_search", {}, ["query"]),
        ("book_hotel", {}, ["book_hotel", "search_poi"]),
        ("search_poi", '{"keywords": "火锅", "city"', ["JSON"]),
        ("search_poi", '["火锅"]', ["JSON 对象"]),
        ("search_poi", "", ["JSON"]),
        ("search_poi", None, ["JSON 对象"]),
        ("search_poi", "[" * 100_000, ["JSON"]),
    ],
)  # fmt: skip
def test_a_bad_call_says_which_argument_and_what_is_allowed(
    tiny_world: World, name: str, arguments: Any, words: list[str]
) -> None:
    error = error_of(tiny_world, name, arguments)
    assert [word for word in words if word not in error] == []


def test_all_that_is_wrong_is_said_at_once(tiny_world: World) -> None:
    error = error_of(tiny_world, "search_poi", {"page": "1", "nearby": True})
    assert all(word in error for word in ("keywords", "city", "page", "nearby"))


def test_errors_are_in_the_language_of_the_task(tiny_world: World) -> None:
    error = error_of(tiny_world, "search_poi", SEARCH | {"page_size": 30}, "en")
    assert error == "Argument page_size: must be an integer ≥ 1, ≤ 20, but it is 30"
    nested = error_of(tiny_world, "search_poi", SEARCH | {"keywords": [], "city": {}}, "en")
    assert nested.isascii() and "an array" in nested and "an object" in nested
    assert "no city of this world" in error_of(tiny_world, "search_poi", SEARCH | {"city": "Paris"}, "en")


def test_text_of_a_model_is_read_as_an_object_is(tiny_world: World) -> None:
    toolbox = world_tools(tiny_world)
    assert toolbox.call("search_poi", json.dumps(SEARCH)).result == toolbox.call("search_poi", SEARCH).result


def test_the_same_call_gives_the_same_bytes(tiny_pack: Any) -> None:
    from sandbox.worlds import open_world

    calls: list[tuple[str, dict[str, Any]]] = [
        ("search_poi", SEARCH),
        ("maps_weather", {"location": "杭州", "date": "2026-01-01", "days": 5}),
    ]
    first, second = (
        [world_tools(open_world(tiny_pack)).call(name, arguments).result for name, arguments in calls]
        for _ in range(2)
    )
    assert first == second


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=6)
    | st.sampled_from(["杭州", "上海", "西湖", "火锅", "120.1,30.2", "2026-05-01", "09:00", "transit", "driving"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)  # fmt: skip


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(150))
def test_no_arguments_whatever_raise(tiny_world: World, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TOOLS)))
    known = st.sampled_from(sorted(TOOLS[name].arguments.model_fields))
    arguments = data.draw(st.dictionaries(known | st.text(max_size=3), JSON, max_size=8))
    both: tuple[dict[str, Any] | str, ...] = (arguments, json.dumps(arguments))
    for given_arguments in both:
        outcome = world_tools(tiny_world).call(name, given_arguments)
        assert outcome.result.encode()
        assert ("error" in json.loads(outcome.result)) is outcome.error


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(
        ["杭州", "上海", "苏州市", "西湖", "拙政园", "火锅", "120.1,30.2", "hz-a1", "2026-05-01", "09:00"]
    )
    | st.text(max_size=4),
    "integer": st.integers(-2, 60) | st.integers(),
    "number": st.floats() | st.integers(),
}


def types_of(schema: dict[str, Any]) -> list[str]:
    return [schema["type"]] if isinstance(schema["type"], str) else schema["type"]


def value_of(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    return st.one_of([st.none() if kind == "null" else VALUES[kind] for kind in types_of(schema)])


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(150))
def test_arguments_of_the_right_types_never_raise(tiny_world: World, data: st.DataObject) -> None:
    function = data.draw(st.sampled_from(TOOLSET.definitions()))["function"]
    arguments = {
        name: data.draw(value_of(schema))
        for name, schema in function["parameters"]["properties"].items()
        if name in function["parameters"]["required"] or data.draw(st.booleans())
    }
    outcome = world_tools(tiny_world).call(function["name"], arguments)
    assert ("error" in json.loads(outcome.result)) is outcome.error


@pytest.mark.parametrize("language", ["zh", "en"])
def test_definitions_are_openai_functions(language: Any) -> None:
    tools = TOOLSET.definitions(language)
    assert [tool["function"]["name"] for tool in tools] == list(TOOLS) and len(tools) == 10
    for tool in tools:
        function = tool["function"]
        parameters = function["parameters"]
        assert tool["type"] == "function" and function["description"]
        assert parameters["additionalProperties"] is False
        for name, schema in parameters["properties"].items():
            assert schema["description"], name
            assert set(types_of(schema)) <= {"string", "integer", "number", "null"}, name


@pytest.mark.parametrize("tool", TOOLSET.definitions(), ids=lambda tool: str(tool["function"]["name"]))
def test_a_model_sees_null_exactly_where_it_is_accepted(tiny_world: World, tool: dict[str, Any]) -> None:
    function = tool["function"]
    for name, schema in function["parameters"]["properties"].items():
        error = json.loads(world_tools(tiny_world).call(function["name"], {name: None}).result)["error"]
        allowed = "null" in types_of(schema)
        assert (None in schema["enum"]) is allowed if "enum" in schema else True
        assert (f"参数 {name} 无效" not in error) is allowed, name
        assert not (allowed and name in function["parameters"]["required"])


def test_page_and_page_size_are_never_null() -> None:
    shown = TOOLSET.definitions()[0]["function"]["parameters"]["properties"]
    never = {name for name, schema in shown.items() if "null" not in types_of(schema)}
    assert never == {"keywords", "city", "page", "page_size"}


def test_required_arguments_are_those_of_the_published_tools() -> None:
    required = {
        tool["function"]["name"]: tool["function"]["parameters"]["required"] for tool in TOOLSET.definitions()
    }
    assert required == {
        "maps_geo": ["address"],
        "maps_weather": ["location", "date"],
        "travel_search_flights": ["origin", "destination", "date"],
        "travel_search_trains": ["origin", "destination", "date"],
        "web_search": ["query"],
        "search_poi": ["keywords", "city"],
        "get_poi_detail": ["id"],
        "plan_route": ["origin", "destination"],
        "compare_routes": ["origin", "destination"],
        "search_along_route": ["origin", "destination", "keywords"],
    }
