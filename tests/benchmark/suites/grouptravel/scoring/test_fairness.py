"""Fairness over the users' scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.scoring import fairness


@pytest.mark.parametrize(
    ("scores", "figure"),
    [
        ([5, 5, 5], 100),
        ([0, 0], 100),
        ([-3, -3], 100),
        ([3, 6], 50),
        ([0, 6], 0),
        ([1, 3], 33.33),
        ([-1, 6], 0),
        ([-6, -3], 50),
        ([-6, 0], 0),
        ([7], 100),
    ],
)
def test_cases(scores, figure):
    assert fairness(scores) == figure


@given(st.lists(st.integers(-50, 50), min_size=1))
def test_between_0_and_100_in_any_order(scores):
    assert 0 <= fairness(scores) <= 100
    assert fairness(scores) == fairness(sorted(scores))


def test_zero_below_which_somebody_falls_keeps_the_published_sign():
    assert str(fairness([-5, 0])) == "-0.0"
    assert str(fairness([0, 3])) == str(fairness([-1, 6])) == "0.0"
