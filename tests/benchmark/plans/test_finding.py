"""Finding the JSON object in an answer, in the ways that benchmarks know."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.plans.finding import (
    decode_json,
    decode_object,
    fences,
    first_fenced_object,
    first_object,
    last_fenced_object,
    outermost_braces,
)

OBJECTS = st.dictionaries(
    st.text('abc {}[]"\\n旅', max_size=4), st.integers() | st.text("ab{}", max_size=4), max_size=3
)


@given(OBJECTS, st.text("ab \n{", max_size=5))
def test_a_fenced_object_is_found_whatever_stands_before_it(value: dict[str, object], words: str) -> None:
    text = f"{words}\n```json\n{json.dumps(value)}\n```\nwords"
    assert first_object(text) == first_fenced_object(text) == value


@pytest.mark.parametrize("number", [2**63, 2**64, -(2**63) - 1, 10**30])
def test_a_whole_number_beyond_64_bits_stays_one(number: int) -> None:
    assert decode_json(f'{{"id": {number}}}') == {"id": number}
    assert isinstance(decode_json(str(number)), int)


@given(st.text('`{}[]"ab:\n1', max_size=40))
def test_no_text_raises(text: str) -> None:
    for value in (first_object(text), first_fenced_object(text), last_fenced_object(text, "a")):
        assert value is None or isinstance(value, dict)


@pytest.mark.parametrize(
    ("text", "bodies"),
    [
        ("```json\n{}\n```", ["{}\n"]),
        ("```\n{}\n```", ["{}\n"]),
        ('```json {"a": 1}```', ['{"a": 1}']),
        ('```{"a": 1}```', ['{"a": 1}']),
        ("``` ```", [" "]),
        ("```a\nb\n``` between ```c\nd\n```", ["b\n", "d\n"]),
        ("```json\n{}", []),
        ("no fence", []),
    ],
)
def test_closed_fences_without_their_info_strings(text: str, bodies: list[str]) -> None:
    assert list(fences(text)) == bodies


def test_the_first_fence_that_is_an_object_counts() -> None:
    text = '```text\nno\n```\n```json\n[1]\n```\n```JSON5 x\n{"a": 1}\n```\n```\n{"a": 2}\n```'
    assert first_fenced_object(text) == {"a": 1}


def test_the_last_fence_that_has_the_key_counts() -> None:
    text = '```\n{"plan": 1}\n```\n```\n{"plan": 2}\n```\n```\n{"other": 3}\n```'
    assert last_fenced_object(text, "plan") == {"plan": 2}


def test_without_a_fence_the_outermost_braces_count() -> None:
    text = 'Here: {"a": {"b": "}"}} as asked.'
    assert first_fenced_object(text) == last_fenced_object(text, "c") == {"a": {"b": "}"}}
    assert outermost_braces("} {") == outermost_braces("{") == ""


def test_what_python_reads_and_orjson_refuses_is_read() -> None:
    assert decode_object('{"a": Infinity}') == {"a": float("inf")}
    assert decode_json("[" * 100_000) is None and decode_object("[1]") is None
