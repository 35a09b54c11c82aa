"""The small policy that GTPO trains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from benchmark.advantages.gtpo import RolloutTurn, Token, objective
from tests.scale.gtpo import (
    DIVERGENCE,
    FEATURES,
    Array,
    Decisions,
    PlayedTurn,
    by_last_turn,
    gradient,
    start_weights,
)


def chances_of(features: Array, weights: Array) -> Array:
    """Of keeping each item in mind."""
    chances: Array = 1 / (1 + np.exp(-features @ weights))
    return chances


def played_turn(random: np.random.Generator, weights: Array, score: float) -> PlayedTurn:
    """One of three decisions."""
    features = random.integers(2, size=(3, FEATURES)).astype(float)
    chances = chances_of(features, weights)
    decisions = Decisions(features, chances, random.random(3) < chances)
    return PlayedTurn(decisions, RolloutTurn(True, True, {"one": score}), False, False)


def value(
    rollouts: Sequence[Sequence[PlayedTurn]], advantages: Sequence[Sequence[float | None]], weights: Array
) -> float:
    """The suite's objective, for a policy of other weights than those that played."""

    def tokens(turn: PlayedTurn) -> list[Token]:
        features, old, kept = turn.decisions
        new, first = chances_of(features, weights), chances_of(features, start_weights())
        ratios = np.where(kept, new / old, (1 - new) / (1 - old))
        apart = new * np.log(new / first) + (1 - new) * np.log((1 - new) / (1 - first))
        return [Token(float(ratio), float(kl), 1.0) for ratio, kl in zip(ratios, apart, strict=True)]

    return objective(
        [
            [(advantage, tokens(turn)) for turn, advantage in zip(turns, own, strict=True)]
            for turns, own in zip(rollouts, advantages, strict=True)
        ],
        beta=DIVERGENCE,
    )


def test_the_gradient_is_that_of_the_objective() -> None:
    random = np.random.default_rng(3)
    weights = start_weights() + random.normal(0, 0.3, FEATURES)
    rollouts = [[played_turn(random, weights, float(k % 2)) for _ in range(2 + k % 2)] for k in range(4)]
    advantages = by_last_turn(rollouts)
    slope = gradient(rollouts, advantages, weights)
    for at in range(FEATURES):
        step = np.zeros(FEATURES)
        step[at] = 1e-5
        rise = value(rollouts, advantages, weights + step) - value(rollouts, advantages, weights - step)
        assert slope[at] == pytest.approx(rise / 2e-5, abs=1e-6)
