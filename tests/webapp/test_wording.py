"""What the product says about its own data."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.model_use import ModelUse
from webapp.wording.numbers import number_words
from webapp.wording.results import readable

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_any_json_can_be_read_and_loses_no_text(value: Any) -> None:
    shown = readable(json.dumps(value))
    for word in _strings(value):
        assert word in shown


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [word for item in value.values() for word in _strings(item)]
    if isinstance(value, list):
        return [word for item in value for word in _strings(item)]
    return [value] if isinstance(value, str) and not isinstance(value, bool) else []


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    readable(text)


def test_json_nested_too_deeply_is_shown_as_it_came() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert readable(deep) == deep


@pytest.mark.parametrize(
    ("unknown", "told"),
    [(0, "The column “unknown” counts requests for which"), (2, "2 requests unknown: the server may")],
)
def test_unknown_requests_are_explained_whether_there_are_any_or_not(unknown: int, told: str) -> None:
    assert told in render_to_string("partials/unknown_requests.html", {"total": ModelUse(unknown=unknown)})


@pytest.mark.parametrize(
    ("value", "places", "words", "signed"),
    [
        (1747, 0, "1,747", "+1,747"),
        (-1.25, 1, "−1.2", "−1.2"),
        (-0.004, 2, "0.00", "±0.00"),
        (None, 2, "–", "–"),
    ],
)
def test_numbers_have_true_minus_signs_and_thousands_set_apart(
    value: float | None, places: int, words: str, signed: str
) -> None:
    assert number_words(value, places) == words
    assert number_words(value, places, signed=True) == signed
