"""Advantages of turns: an example by hand, what holds of all groups, and each part taken away."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.advantages.gtpo import (
    Normalisation,
    RolloutTurn,
    Token,
    last_turn_advantages,
    objective,
    turn_advantages,
)
from tests.properties import examples

EXACT = Normalisation(eps=0)


def turn(is_feasible: bool = True, is_complete: bool = True, **scores: int) -> RolloutTurn:
    return RolloutTurn(is_feasible, is_complete, scores)


TWO = [
    [turn(a=1, b=0), turn(a=1, b=1)],
    [turn(is_feasible=False, a=1, b=1), turn(a=0, b=1)],
]
"""In the first `a` is always met, in the second `b`. By rollout a is (0, 0) and (1, -1), b is (-1, 1) and (0, 0)."""


def test_two_rollouts_by_hand() -> None:
    found = turn_advantages(TWO, EXACT)
    assert found["raw"] == [[0.5, 1], [0, 0.5]]
    assert found["r"] == [[-0.5, 0.5], [0, -0.5]], "means of the two constraints, 0 of an infeasible turn"
    assert found["d"] == [[-0.5, 1], [0, -0.5]], (
        "after the infeasible turn from 0, the best there, not from its own"
    )
    assert found["advantages"] == [[-1, 1], [1, -1]], (
        "(-0.25, 0.25) and (0.25, 0.75) are means and deviations"
    )
    assert found["mask"] == [[1, 1], [1, 1]]
    assert last_turn_advantages(TWO, eps=0) == [[1, 1], [-1, -1]]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (replace(EXACT, gin=False, trd=False, trn=False), [[0.5, 1], [0, 0.5]]),
        (replace(EXACT, trd=False, trn=False), [[-0.5, 0.5], [0, -0.5]]),
        (replace(EXACT, gin=False, trn=False), [[0.5, 0.5], [0, 0]]),
        (replace(EXACT, gin=False, trd=False), [[1, 1], [-1, -1]]),
        (replace(EXACT, trd=False), [[-1, 1], [1, -1]]),
        (replace(EXACT, gin=False), [[1, 1], [-1, -1]]),
    ],
)
def test_each_part_can_be_taken_away(parts: Normalisation, expected: list[list[float]]) -> None:
    assert turn_advantages(TWO, parts)["advantages"] == expected


def test_the_best_before_an_infeasible_turn_may_be_the_zero_of_another() -> None:
    """Both others are below 0 at the first turn, since they meet less there than later."""
    low = [turn(a=0), turn(a=1)]
    found = turn_advantages([low, low, [turn(is_feasible=False, a=0), turn(a=1)]], EXACT)
    assert found["r"] == [[-1, 1], [-1, 1], [0, 1]] and found["d"][2] == [0, 1]


def test_turns_that_few_rollouts_reach_are_masked() -> None:
    ragged = [[turn(a=1)], [turn(a=0)], [turn(a=0), turn(a=1)], [turn(a=1), turn(a=0), turn(a=1)]]
    found = turn_advantages(ragged)
    assert found["mask"] == [[1], [1], [1, 1], [1, 1, 0]]
    whole = turn_advantages(ragged, Normalisation(trn=False))
    assert whole["mask"] == [[1], [1], [1, 1], [1, 1, 1]]


def test_a_turn_past_the_budget_ends_its_rollout() -> None:
    cut = [turn(a=1), turn(is_complete=False, a=1), turn(a=1)]
    found = turn_advantages([cut, [turn(a=0)]], Normalisation(gin=False))
    assert found["mask"] == [[1, 0, 0], [1]] and found["raw"] == [[1], [0]]
    assert found["advantages"][0] == [pytest.approx(1, abs=1e-5), None, None]
    assert last_turn_advantages([cut, [turn(a=0)]], eps=0) == [[1, None, None], [-1]]


def test_a_rollout_alone_has_no_advantage_and_none_have_none() -> None:
    assert turn_advantages([TWO[0]])["advantages"] == [[0, 0]]
    assert last_turn_advantages([TWO[0]]) == [[0, 0]]
    assert turn_advantages([])["advantages"] == [] and turn_advantages([[]])["advantages"] == [[]]
    assert last_turn_advantages([[], [turn(a=1)]], eps=0) == [[], [1]]


def test_the_objective_clips_by_the_sign_of_the_advantage() -> None:
    far = [Token(ratio=2, kl=0.1, mask=1), Token(ratio=9, kl=9, mask=0)]
    assert objective([[(1.0, far)]], clip=0.2, beta=0.5) == pytest.approx((1.2 - 0.05) / 2)
    assert objective([[(-1.0, far)]], clip=0.2, beta=0.5) == pytest.approx((-2 - 0.05) / 2)
    assert objective([[(None, far)]], beta=0) == 0 == objective([])


TURNS = st.builds(
    RolloutTurn,
    is_feasible=st.booleans(),
    is_complete=st.sampled_from([True, True, True, False]),
    scores=st.dictionaries(st.sampled_from("abc"), st.sampled_from([0.0, 1.0])),
)
GROUPS = st.lists(st.lists(TURNS, max_size=5), min_size=1, max_size=6)
PARTS = st.builds(
    Normalisation,
    gin=st.booleans(),
    trd=st.booleans(),
    trn=st.booleans(),
    gin_scope=st.sampled_from(["rollout", "group"]),
)


@given(GROUPS, PARTS, st.randoms())
@settings(max_examples=examples(200), deadline=None)
def test_rollouts_in_another_order_have_the_same_advantages(group, parts, random) -> None:  # type: ignore[no-untyped-def]
    order = random.sample(range(len(group)), len(group))
    shuffled = [group[at] for at in order]
    for advantages in (lambda some: turn_advantages(some, parts)["advantages"], last_turn_advantages):
        found, again = advantages(group), advantages(shuffled)
        for at, own in zip(order, again, strict=True):
            assert own == pytest.approx(found[at], abs=1e-9)


@given(GROUPS)
@settings(max_examples=examples(200), deadline=None)
def test_the_advantages_of_a_turn_are_none_or_sum_up_to_none(group: list[list[RolloutTurn]]) -> None:
    found = turn_advantages(group)["advantages"]
    for at in range(5):
        known = [value for own in found if len(own) > at and (value := own[at]) is not None]
        assert math.fsum(known) == pytest.approx(0, abs=1e-6)


@given(st.lists(TURNS, max_size=5), st.integers(1, 6))
@settings(max_examples=examples(100), deadline=None)
def test_rollouts_that_are_alike_have_no_advantage(rollout: list[RolloutTurn], count: int) -> None:
    for found in (
        turn_advantages([rollout] * count)["advantages"],
        last_turn_advantages([rollout] * count),
    ):
        assert all(value is None or abs(value) < 1e-6 for own in found for value in own)
