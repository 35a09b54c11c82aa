"""The built-in embedder: what is near, what is not, and that it is the same everywhere."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.calls import Call
from sandbox.retrieval import FieldsEmbedder
from sandbox.retrieval.values import values

EMBEDDER = FieldsEmbedder()


def likeness(one: dict[str, Any], *others: dict[str, Any]) -> list[float]:
    vectors = EMBEDDER.embed([Call("any_tool", each) for each in (one, *others)])
    return [float(each) for each in vectors[1:] @ vectors[0]]


def is_ordered(one: dict[str, Any], *others: dict[str, Any]) -> bool:
    """Whether the others are less and less like the one."""
    found = likeness(one, *others)
    return found == sorted(found, reverse=True) and len(set(found)) == len(found)


def east(metres: float) -> dict[str, str]:
    return {"location": f"{120.15 + metres / 96_000:.6f},30.250000"}


def test_a_place_is_the_less_alike_the_farther_it_is() -> None:
    assert is_ordered(*map(east, (0, 50, 150, 400, 1_000, 5_000)))
    assert likeness(east(0), east(50))[0] > 0.95
    assert max(likeness(east(0), *map(east, (20_000, 100_000, 1_000_000)))) < 0.6


@given(st.integers(0, 20_000), st.integers(14, 2_000), st.sampled_from((-1, 1)))
def test_the_next_day_is_nearer_than_any_two_weeks_off(start: int, off: int, sign: int) -> None:
    days = [date(1990, 1, 1) + timedelta(start + shift) for shift in (0, sign, off)]
    assert is_ordered(*({"origin": "上海", "date": each.isoformat()} for each in days))


def test_word_order_and_suffixes_matter_little() -> None:
    query = {"keywords": "亲子 火锅", "city": "杭州"}
    suffixed = {"keywords": "亲子 火锅店", "city": "杭州市"}
    assert likeness(query, {"keywords": "火锅 亲子", "city": "杭州"})[0] > 0.999
    assert is_ordered(query, suffixed, {"keywords": "公园", "city": "杭州"})
    assert is_ordered(query, suffixed, {"keywords": "亲子 火锅", "city": "长春"})


def test_words_and_city_outweigh_numbers_and_choices() -> None:
    query = {"keywords": "火锅", "city": "杭州", "radius_km": 5.0, "page": 1, "sort_by": "rating"}
    assert is_ordered(
        query,
        query | {"radius_km": 4.0},
        query | {"radius_km": 20.0, "page": 3, "sort_by": "distance"},
        query | {"city": "苏州"},
    )


def test_a_route_back_is_another_route() -> None:
    there = {"origin": "西湖", "destination": "灵隐寺"}
    assert likeness(there, {"origin": "灵隐寺", "destination": "西湖"})[0] < 0.5


def test_width_and_case_of_letters_do_not_matter() -> None:
    assert likeness({"keywords": "KTV １店"}, {"keywords": "ktv 1店"})[0] > 0.9999


@pytest.mark.parametrize(
    ("arguments", "scales"),
    [
        ({"where": "120.1,30.2"}, ["place"]),
        ({"latitude": 30.12345}, ["place"]),
        ({"from": {"lat": 30.12345, "names": ["西湖", None]}}, ["place", "words"]),
        ({"when": "2026-05-01"}, ["day"]),
        ({"q": "上海 2026-05-01 天气"}, ["day", "words"]),
        ({"q": "近(120.1234,30.1234)的酒店"}, ["place", "words"]),
        ({"when": "2026-02-30"}, ["words"]),
        ({"at": "08:30"}, ["clock"]),
        ({"n": "5", "m": 5, "x": 2.5}, ["number"] * 3),
        ({"id": "1234"}, ["words"]),
        ({"mode": "driving", "open": True}, ["choice"] * 2),
        ({"city": "beijing", "type": "美食"}, ["words"] * 2),
        ({"nothing": None, "inf": float("inf"), "nan": float("nan")}, []),
    ],
)
def test_values_are_told_by_their_shape(arguments: dict[str, Any], scales: list[str]) -> None:
    assert [getattr(value, "scale", "words") for value in values(arguments)] == scales


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(max_size=8), JSON, max_size=4), max_size=5))
def test_any_call_becomes_a_row_of_length_one_whatever_is_beside_it(calls: list[dict[str, Any]]) -> None:
    together = EMBEDDER.embed([Call("t", each) for each in calls])
    assert together.shape == (len(calls), EMBEDDER.dimension)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for row, each in zip(together, calls, strict=True):
        np.testing.assert_allclose(EMBEDDER.embed([Call("t", each)])[0], row, atol=1e-6)


SAMPLE = {
    "keywords": "老字号 火锅",
    "city": "重庆",
    "location": "106.551643,29.562849",
    "date": "2026-05-01",
    "radius_km": 3.0,
    "mode": "driving",
}
FINGERPRINT = f"""
import hashlib, numpy as np
from sandbox.calls import Call
from sandbox.retrieval import FieldsEmbedder
vector = FieldsEmbedder().embed([Call("search_poi", {SAMPLE!r})])[0]
print(hashlib.sha256(np.round(vector * 10_000).astype("<i2").tobytes()).hexdigest())
"""


def test_another_process_makes_the_same_vector() -> None:
    vector = EMBEDDER.embed([Call("search_poi", SAMPLE)])[0]
    here = hashlib.sha256(np.round(vector * 10_000).astype("<i2").tobytes()).hexdigest()
    for seed in ("1", "2"):
        run = [sys.executable, "-c", FINGERPRINT]
        there = subprocess.run(run, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed})
        assert there.stdout.strip() == here


def test_the_vector_of_this_version_stays() -> None:
    """Whoever changes it must raise the version, or indexes that are on disk would be searched with other vectors."""
    vector = EMBEDDER.embed([Call("search_poi", SAMPLE)])[0]
    assert EMBEDDER.id == "fields-1-128"
    assert [round(float(each), 4) for each in vector[[0, 1, 63, 64, 127]]] == [
        0.063,
        -0.1983,
        -0.0323,
        -0.0394,
        0.0735,
    ]


@pytest.mark.parametrize("dimension", [0, 7, -2])
def test_a_dimension_that_cannot_be_is_refused(dimension: int) -> None:
    with pytest.raises(ValueError, match="even"):
        FieldsEmbedder(dimension)
