"""Bootstrap samples of pairs: how often each pair was drawn, and accuracies over the samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.weights.comparison import Flags, Floats
from benchmark.labelling.weights.results import Interval


def draw_counts(pairs: int, samples: int, seed: int) -> NDArray[np.int32]:
    """Pairs × samples: how often a pair is in a sample of as many pairs, drawn with replacement."""
    rng = np.random.default_rng([seed, pairs, samples])
    counts = np.empty((pairs, samples), dtype=np.int32)
    for sample in range(samples):
        counts[:, sample] = np.bincount(rng.integers(pairs, size=pairs), minlength=pairs)
    return counts


def out_of_bag(right: Flags, counts: NDArray[np.int32]) -> Floats:
    """Of the weights of each sample on the pairs that it lacks, where it lacks any. right: samples × pairs."""
    absent = (counts == 0).T
    lacking = absent.sum(axis=1)
    return np.asarray((right & absent).sum(axis=1)[lacking > 0] / lacking[lacking > 0], dtype=float)


def interval(values: Floats) -> Interval:
    """Mean, sample standard deviation and percentiles of some values."""
    low, high = np.percentile(values, [2.5, 97.5])
    std = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return Interval(float(values.mean()), std, float(low), float(high), len(values))
