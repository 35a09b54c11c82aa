"""The built-in simulator over results of any shape."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sandbox.calls import Call, Example
from sandbox.simulation import NearestSimulator
from sandbox.tools.errors import BadArgument, ToolFailure
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel import TOOLSET

DATES = st.dates(date(2, 1, 1), date(9998, 1, 1)).map(date.isoformat)
POINTS = st.tuples(st.integers(-180, 180), st.integers(-90, 90)).map(lambda point: f"{point[0]},{point[1]}")
NUMBERS = st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=8) | DATES | POINTS
FIELDS = st.sampled_from(
    [
        "name",
        "price",
        "city",
        "origin",
        "page",
        "page_size",
        "location",
        "distance_m",
        "depart",
        "date",
        "total",
        "id",
    ]
) | st.text(max_size=4)
THINGS = st.fixed_dictionaries(
    {"name": st.text(max_size=5), "price": st.none() | NUMBERS},
    optional={"location": SCALARS, "distance_m": SCALARS, "city": SCALARS, "rating": SCALARS, "id": SCALARS},
)
JSON = st.recursive(
    SCALARS | st.lists(THINGS, max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(FIELDS, inner, max_size=5),
    max_leaves=10,
)
CALLS = st.fixed_dictionaries(
    {"keywords": st.sampled_from(["火锅", "面"]), "city": st.sampled_from(["杭州", "杭州市", "苏州"])},
    optional={
        "page": st.integers(1, 4),
        "page_size": st.integers(1, 20),
        "location": POINTS | st.just("西湖"),
        "radius_km": st.floats(0.1, 50),
        "price_min": st.none() | st.integers(0, 9),
        "price_max": st.integers(10, 99),
        "sort_by": st.sampled_from(["relevance", "distance", "rating", "price_low", "price_high", None]),
    },
)
SERVICES = st.fixed_dictionaries(
    {"origin": st.just("上海"), "destination": st.just("杭州"), "date": DATES},
    optional={
        "depart_time_start": st.sampled_from(["07:00", "12:30", None]),
        "sort_by": st.sampled_from(["price", "duration", "depart_time_desc", None]),
        "train_type_filter": st.sampled_from(["high_speed", "regular", None]),
    },
)
ODD = st.dictionaries(FIELDS, JSON, max_size=6)


def answer_or_error(tool: str, cached: dict[str, Any], result: str, asked: dict[str, Any]) -> str:
    """The answer, or the tool's error as its message."""
    examples = [Example(Call(tool, cached), result, 0.5)]
    try:
        return NearestSimulator().simulate(
            Question(TOOLSET.validate(tool, asked, "zh"), examples, "zh", lambda call: ())
        )
    except (BadArgument, ToolFailure) as problem:
        return json.dumps({"error": problem.describe("zh")})


def facts(value: Any) -> Iterator[tuple[Any, Any]]:
    """(name, price) of every thing in a list."""
    if isinstance(value, list):
        for each in value:
            yield from facts(each)
    elif isinstance(value, dict):
        if isinstance(value.get("name"), str) and "price" in value:
            yield value["name"], json.dumps(value["price"])
        for each in value.values():
            yield from facts(each)


@given(CALLS | ODD, st.dictionaries(FIELDS, JSON, max_size=6), CALLS)
def test_it_tells_no_fact_that_the_record_does_not(
    example_of: dict[str, Any], result: dict[str, Any], asked: dict[str, Any]
) -> None:
    read = json.loads(answer_or_error("search_poi", example_of, json.dumps(result), asked))
    assert set(facts(read)) <= set(facts(result))


@given(SERVICES | ODD, JSON, SERVICES)
def test_any_json_is_answered_from_with_valid_json(
    example_of: dict[str, Any], result: Any, asked: dict[str, Any]
) -> None:
    text = json.dumps(result)
    once = answer_or_error("travel_search_trains", example_of, text, asked)
    assert once == answer_or_error("travel_search_trains", example_of, text, asked)
    json.loads(once)


@given(SERVICES, SERVICES, st.lists(THINGS, min_size=1))
def test_trains_of_another_day_are_never_told(
    example_of: dict[str, Any], asked: dict[str, Any], things: list[dict[str, Any]]
) -> None:
    if example_of["date"] != asked["date"]:
        text = answer_or_error("travel_search_trains", example_of, json.dumps({"trains": things}), asked)
        assert json.loads(text)["trains"] == []


@given(SERVICES, st.text(), SERVICES)
def test_any_text_is_answered_from(example_of: dict[str, Any], text: str, asked: dict[str, Any]) -> None:
    told = answer_or_error("travel_search_trains", example_of, text, asked)
    assert told == text or json.loads(told)


@given(CALLS, st.lists(THINGS, max_size=12))
def test_the_same_call_changes_nothing(call: dict[str, Any], things: list[dict[str, Any]]) -> None:
    result = {"total": len(things), "pois": things}
    read = json.loads(answer_or_error("search_poi", call, json.dumps(result), call))
    assert read == result or read == {"error": read.get("error")}


@given(st.integers(60, 3000))
def test_deep_nesting_never_raises(depth: int) -> None:
    for text in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        assert answer_or_error("web_search", {"query": "票"}, text, {"query": "门票"})
