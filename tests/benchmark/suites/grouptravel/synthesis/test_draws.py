"""Draws depend on their key alone, and shares add up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.synthesis.draws import dice, pick, pick_several, shares, tilt

weights = st.lists(st.floats(0, 100), min_size=1, max_size=12).filter(lambda found: sum(found) > 0.01)


def test_a_key_always_rolls_the_same() -> None:
    assert dice(1, "User2", "food").random() == dice(1, "User2", "food").random()
    assert dice(1, "User2", "food").random() != dice(1, "User3", "food").random()
    assert dice(1, "ab", "c").random() != dice(1, "a", "bc").random()


@given(st.integers(0, 2000), weights)
def test_shares_add_up_and_stay_within_one_of_the_exact_ones(total: int, given_: list[float]) -> None:
    found = shares(total, given_)
    assert sum(found) == total
    whole = sum(given_)
    assert all(
        abs(share - total * weight / whole) < 1 + 1e-6 for share, weight in zip(found, given_, strict=True)
    )


@given(st.dictionaries(st.integers(0, 50), st.floats(0, 10), max_size=20), st.integers(0, 25), st.integers())
def test_several_are_different_and_have_a_weight(held: dict[int, float], count: int, key: int) -> None:
    found = pick_several(dice(key), held, count)
    assert len(set(found)) == len(found) == min(count, sum(weight > 0 for weight in held.values()))
    assert all(held[one] > 0 for one in found)


def test_nothing_to_draw_from_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        pick(dice(1), {"a": 0.0})


@pytest.mark.parametrize("mean", [0.2, 0.5, 0.9])
def test_tilted_weights_have_the_mean(mean: float) -> None:
    found = tilt({0: 3.0, 1: 5.0}, mean)
    assert found[1] / sum(found.values()) == pytest.approx(mean, abs=1e-6)
