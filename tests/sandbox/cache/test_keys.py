"""Which calls are the same call."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.cache import Normalisation, key_of, published_key, read_key, semantic_key
from sandbox.cache.keys import KeyProblem
from sandbox.calls import Call

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(st.text(), VALUES, max_size=5)


def test_the_published_key_is_compact_json_of_sorted_pairs() -> None:
    arguments = {"keywords": "火锅 ", "city": "北京", "radius_km": 5.0, "page": 1, "region": None}
    expected = '[["city","北京"],["keywords","火锅 "],["page",1],["radius_km",5.0],["region",null]]'
    assert published_key(arguments) == expected


@given(arguments=ARGUMENTS)
def test_a_published_key_is_read_back(arguments: dict[str, Any]) -> None:
    assert read_key(published_key(arguments)) == arguments


@given(arguments=ARGUMENTS)
def test_the_published_key_is_what_the_published_code_computes(arguments: dict[str, Any]) -> None:
    pairs = sorted(arguments.items(), key=lambda pair: pair[0])
    assert published_key(arguments) == json.dumps(pairs, separators=(",", ":"), ensure_ascii=False)


@given(arguments=ARGUMENTS)
def test_the_order_of_arguments_does_not_matter(arguments: dict[str, Any]) -> None:
    turned = dict(reversed(arguments.items()))
    for normalisation in ("published", "strict-semantic"):
        assert key_of(Call("search_poi", turned), normalisation) == key_of(
            Call("search_poi", arguments), normalisation
        )


def _equal(one: Any, two: Any) -> bool:
    """Equality of JSON: numbers are as they are written, and the order inside a nested object counts."""
    if isinstance(one, dict) and isinstance(two, dict):
        return list(one) == list(two) and all(_equal(one[name], two[name]) for name in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_equal, one, two))
    return type(one) is type(two) and repr(one) == repr(two)


NEAR = st.dictionaries(
    st.sampled_from("ab"),
    st.sampled_from([None, 0, 1, 1.0, True, "1", "", " ", [], [1], {"x": 1}, -0.0, 0.0]),
)


@given(one=NEAR, two=NEAR)
def test_published_keys_are_equal_when_arguments_are(one: dict[str, Any], two: dict[str, Any]) -> None:
    same = one.keys() == two.keys() and all(_equal(one[name], two[name]) for name in one)
    assert (published_key(one) == published_key(two)) == same


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no JSON"),
        ("{}", "is not a list of"),
        ("[1]", "is not a list of"),
        ('[["a"]]', "is not a list of"),
        ("[[1,2]]", "is not a list of"),
        ('[["a",1],["a",2]]', "names an argument twice"),
        ("[" * 5000, "is no"),
        ('[["a",' + "[" * 51 + "]" * 51 + "]]", "nested more than 50 deep"),
        ('[["a","\\ud800"]]', "half of a surrogate pair"),
        ('[["a","\ud800"]]', "half of a surrogate pair"),
    ],
)
def test_a_text_that_is_no_key_says_why(text: str, why: str) -> None:
    with pytest.raises(KeyProblem, match=why):
        read_key(text)


def test_brackets_inside_texts_are_no_nesting() -> None:
    assert read_key(published_key({"query": "[{" * 100})) == {"query": "[{" * 100}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("search_poi", {"radius_km": None, "sort_by": None, "price_max": None}),
        ("search_along_route", {"route_range": None, "poi_limit": None, "route_index": None}),
        ("search_along_route", {"route_range": 500, "poi_limit": 20.0, "route_index": 1}),
        ("maps_weather", {"days": None}),
        ("maps_weather", {"days": 0}),
    ],
)
def test_null_is_absence_where_it_may_stand(tool: str, given: dict[str, Any]) -> None:
    assert semantic_key(Call(tool, given)) == semantic_key(Call(tool, {}))


BASE = {"keywords": "火锅", "city": "北京"}


@pytest.mark.parametrize(
    "other",
    [
        BASE | {"radius_km": 5},
        BASE | {"radius_km": 5.0},
        BASE | {"radius_km": None},
        BASE | {"page": 1, "page_size": 10},
        BASE | {"region": None, "price_min": None},
        BASE | {"city": " 北京 "},
        BASE | {"keywords": "火锅　"},
    ],
)
def test_strict_semantic_folds_defaults_numbers_and_outer_space(other: dict[str, Any]) -> None:
    assert semantic_key(Call("search_poi", other)) == semantic_key(Call("search_poi", BASE))
    assert published_key(other) != published_key(BASE)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("ＫＴＶ（总店）", "KTV(总店)"),
        ("116.40, 39.90", "116.4,39.900"),
        ("+116.4，39.9", "116.4,39.9"),
        ("ﾎﾃﾙ", "ホテル"),
    ],
)
def test_strict_semantic_folds_forms_of_writing(one: str, two: str) -> None:
    assert semantic_key(Call("maps_geo", {"address": one})) == semantic_key(
        Call("maps_geo", {"address": two})
    )


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"city": "北京"}, {"city": "北京市"}),
        ({"keywords": "火锅"}, {"keywords": "火 锅"}),
        ({"keywords": "ktv"}, {"keywords": "KTV"}),
        ({"radius_km": 5}, {"radius_km": 5.01}),
        ({"page": 1}, {"page": 2}),
        ({"page": 1}, {"page": True}),
        ({"page": None}, {}),
        ({"page_size": None}, {"page_size": 10}),
        ({"sort_by": "relevance"}, {}),
        ({"location": "116.4,39.9"}, {"location": "116.4,39.91"}),
        ({"price_min": 0}, {"price_min": None}),
        ({"keywords": "07,08"}, {"keywords": "7,8"}),
        ({"keywords": "10²"}, {"keywords": "102"}),
        ({"keywords": "5"}, {"keywords": 5}),
    ],
)
def test_strict_semantic_keeps_apart_what_differs(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert semantic_key(Call("search_poi", BASE | one)) != semantic_key(Call("search_poi", BASE | two))


@given(tool=st.sampled_from(("search_poi", "plan_route", "foreign_tool")), arguments=ARGUMENTS)
def test_the_same_published_key_is_the_same_semantic_key(tool: str, arguments: dict[str, Any]) -> None:
    """And folding twice folds no further."""
    key = semantic_key(Call(tool, arguments))
    assert semantic_key(Call(tool, read_key(key))) == key


def test_a_foreign_tool_has_no_defaults_to_fill_in() -> None:
    null, absent = Call("foreign", {"page": None}), Call("foreign", {})
    assert semantic_key(null) != semantic_key(absent)
    assert semantic_key(Call("foreign", {"page": 2.0})) == semantic_key(Call("foreign", {"page": 2}))


def test_normalisation_chooses_the_key() -> None:
    call = Call("search_poi", BASE | {"page": 1})
    published: Normalisation = "published"
    assert key_of(call, published) == published_key(call.arguments)
    assert key_of(call, "strict-semantic") == published_key(BASE)
