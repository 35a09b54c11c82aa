"""Pairs whose labels come from known weights with known noise."""

from __future__ import annotations

import numpy as np

from benchmark.labelling.weights import Grid, Label, Pair, Weights
from benchmark.labelling.weights.comparison import Comparison
from benchmark.labelling.weights.scoring import Scores

LABEL_OF: dict[int, Label] = {1: "A", -1: "B", 0: "neither"}


def noisy_pairs(
    grid: Grid, truth: Weights, count: int, noise: float, rng: np.random.Generator, steps: int = 0
) -> list[Pair]:
    """Pairs labelled by the sign of the true difference, a share `noise` of them by one of the two other labels.

    steps: values are multiples of 1/steps, so that some scores tie; 0 for any between 0 and 1.
    """
    blank = [
        Pair(f"{number:05}", f"s{number % 3}", "A", _values(grid, rng, steps), _values(grid, rng, steps))
        for number in range(count)
    ]
    comparison = Comparison(blank, grid)
    signs = Scores(comparison, [truth]).signs[0]
    labels = [int(sign) for sign in signs]
    for place in np.flatnonzero(rng.random(count) < noise):
        labels[place] = int(rng.choice([one for one in LABEL_OF if one != labels[place]]))
    return [
        Pair(pair.id, pair.stratum, LABEL_OF[label], pair.a, pair.b)
        for pair, label in zip(comparison.pairs, labels, strict=True)
    ]


def _values(grid: Grid, rng: np.random.Generator, steps: int) -> dict[str, float]:
    drawn = (
        rng.integers(steps + 1, size=len(grid.metrics)) / steps if steps else rng.random(len(grid.metrics))
    )
    return {metric: float(value) for metric, value in zip(grid.metrics, drawn, strict=True)}


def accuracy_of(grid: Grid, weights: Weights, pairs: list[Pair]) -> float:
    """Share of pairs that weights order as labelled."""
    return float(Scores(Comparison(pairs, grid), [weights]).right[0].mean())
