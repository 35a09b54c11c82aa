"""Waiting before a model is asked again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.models import ModelFailure
from benchmark.models.patience import wait_s

FAILED = ModelFailure("server", "no")


@given(attempt=st.integers(1, 10_000), seed=st.integers())
def test_waits_grow_within_bounds(attempt: int, seed: int) -> None:
    longest = min(2 ** min(attempt, 6), 60)
    assert max(1, longest / 2) <= wait_s(attempt, FAILED, seed) <= longest
    assert wait_s(attempt, FAILED, seed) == wait_s(attempt, FAILED, seed)


def test_two_sessions_do_not_come_back_together() -> None:
    assert len({wait_s(3, FAILED, seed) for seed in range(50)}) == 50


@pytest.mark.parametrize(
    ("asked", "least", "most"), [(0, 0, 1), (7, 7, 8), (299.9, 299.9, 300), (9e9, 300, 300)]
)
def test_the_servers_wish_is_honoured_within_reason(asked: float, least: float, most: float) -> None:
    failure = ModelFailure("rate_limit", "no", retry_after_s=asked)
    assert all(least <= wait_s(attempt, failure, 1) <= most for attempt in (1, 9))
