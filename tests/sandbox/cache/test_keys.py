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


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[["a"]]', "[[1,2]]", '[["a",1],["a",2]]', "[" * 5000])
def test_a_text_that_is_no_key_says_why(text: str) -> None:
    with pytest.raises(KeyProblem):
        read_key(text)


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
        ({"location": "116.4,39.9"}, {"location": "116.4,39.91"}),
        ({"price_min": 0}, {"price_min": None}),
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
