"""Distances between places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.plans.ways import great_circle_km

POINTS = st.tuples(st.floats(-180, 180), st.floats(-90, 90))


@given(POINTS, POINTS)
def test_a_way_is_as_long_in_both_directions_and_at_most_half_round_the_globe(
    a: tuple[float, float], b: tuple[float, float]
) -> None:
    assert great_circle_km(a, b) == pytest.approx(great_circle_km(b, a), abs=1e-6)
    assert 0 <= great_circle_km(a, b) <= 20_016


def test_from_beijing_to_shanghai() -> None:
    assert great_circle_km((116.4, 39.9), (121.47, 31.23)) == pytest.approx(1067.1, abs=0.5)
