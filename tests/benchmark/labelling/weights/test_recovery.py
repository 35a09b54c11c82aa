"""Labels made from known weights with known noise: what is recovered, and whether intervals are honest."""

from __future__ import annotations

import numpy as np
import pytest

from benchmark.labelling.weights import LearnedWeights, Options, Pair, Weights, grid_of, learn
from tests.benchmark.labelling.weights.synthetic_pairs import accuracy_of, noisy_pairs

GRID = grid_of(
    {
        "groups": [
            {"name": "soft", "weights": [1], "metrics": {name: [0.1, 0.4, 0.7] for name in "mnop"}},
            {"name": "wish", "weights": [0.1, 0.6, 1.4], "metrics": {"q": [0.2, 1], "r": [0.2, 1]}},
        ]
    }
)
TRUTH = GRID.weights_of([1, 0.6, 0.7, 0.1, 0.4, 0.1, 0.2, 1])
ONLY_TRUTH = grid_of(
    {
        "groups": [
            {"name": "soft", "weights": [1], "metrics": {"m": [0.7], "n": [0.1], "o": [0.4], "p": [0.1]}},
            {"name": "wish", "weights": [0.6], "metrics": {"q": [0.2], "r": [1]}},
        ]
    }
)


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.3])
def test_agreement_is_recovered_up_to_the_noise(noise: float) -> None:
    """The accuracy of 800 pairs has a standard error below 0.017; choosing among 972 points adds some optimism."""
    pairs = noisy_pairs(GRID, TRUTH, 800, noise, np.random.default_rng(11))
    found = learn(pairs, GRID, Options(bootstrap=0, relearn=False))
    assert found.agreement.accuracy == pytest.approx(1 - noise, abs=0.05)
    assert found.agreement.accuracy >= accuracy_of(GRID, TRUTH, pairs)
    assert found.cross_validation and found.cross_validation.validation_accuracy.mean is not None
    assert found.cross_validation.validation_accuracy.mean == pytest.approx(1 - noise, abs=0.05)


def test_weights_are_recovered_where_there_is_no_noise() -> None:
    """The values of 800 pairs leave no other class of proportional weights."""
    pairs = noisy_pairs(GRID, TRUTH, 800, 0.0, np.random.default_rng(3))
    found = learn(pairs, GRID, Options(folds=0, bootstrap=0, relearn=False))
    assert (found.weights, found.landscape.best_points) == (TRUTH.as_json(), 1)


@pytest.mark.slow
def test_the_interval_of_fixed_weights_covers_the_true_agreement() -> None:
    """Nominally 95 % do, over 120 pairs about 94 %; the share of 150 repetitions has a standard error of 0.02."""
    noise, covered = 0.3, 0
    for seed in range(150):
        pairs = noisy_pairs(ONLY_TRUTH, TRUTH, 120, noise, np.random.default_rng([seed, 1]))
        found = learn(pairs, ONLY_TRUTH, Options(folds=0, bootstrap=300, seed=seed, relearn=False)).bootstrap
        assert found
        covered += found.fixed.low <= 1 - noise <= found.fixed.high
    assert 0.90 <= covered / 150 <= 0.98


@pytest.mark.slow
def test_what_is_called_optimistic_is_so_and_what_is_not_is_near_the_truth() -> None:
    """Against the agreement of the chosen weights on pairs that nobody learned from, over 40 repetitions."""
    fresh = noisy_pairs(GRID, TRUTH, 4_000, 0.35, np.random.default_rng(99))
    gaps = np.array([_gaps(seed, fresh) for seed in range(40)])
    apparent, anew, validated, corrected = gaps.mean(axis=0)
    assert anew > apparent > 0.03
    assert abs(validated) < 0.025
    assert abs(corrected) < apparent


def _gaps(seed: int, fresh: list[Pair]) -> list[float]:
    pairs = noisy_pairs(GRID, TRUTH, 100, 0.35, np.random.default_rng([seed, 2]))
    found: LearnedWeights = learn(pairs, GRID, Options(bootstrap=50, seed=seed, relearn=False))
    true = accuracy_of(GRID, read_weights(found), fresh)
    assert found.bootstrap and found.cross_validation
    validated = found.cross_validation.validation_accuracy.mean
    assert validated is not None
    shown = [found.agreement.accuracy, found.bootstrap.anew.mean, validated, found.bootstrap.corrected]
    return [one - true for one in shown]


def read_weights(found: LearnedWeights) -> Weights:
    """As a choice of the grid."""
    groups = found.weights["groups"]
    return GRID.weights_of(
        [*(g["weight"] for g in groups), *(w for g in groups for w in g["metrics"].values())]
    )
