"""Bootstrap samples of pairs: how often each pair was drawn, and accuracies over the samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.weights.comparison import Flags
from benchmark.labelling.weights.components import Floats
from benchmark.labelling.weights.results import Interval


def draw_counts(pairs: int, samples: int, seed: int) -> NDArray[np.int32]:
    """Pairs × samples: how often a pair is in a sample of as many pairs, drawn with replacement."""
    rng = np.random.default_rng([seed, pairs, samples])
    counts = np.empty((pairs, samples), dtype=np.int32)
    for sample in range(samples):
        counts[:, sample] = np.bincount(rng.integers(pairs, size=pairs), minlength=pairs)
    return counts


def accuracies(right: Flags, counts: NDArray[np.int32]) -> Floats:
    """Of fixed weights on each sample. right: by pair."""
    return np.asarray(right.astype(np.int64) @ counts / len(right), dtype=float)


def out_of_bag(right: Flags, counts: NDArray[np.int32]) -> Floats:
    """Of the weights of each sample on the pairs that it lacks; nan where it lacks none. right: samples × pairs."""
    absent = (counts == 0).T
    with np.errstate(invalid="ignore"):
        return np.asarray((right & absent).sum(axis=1) / absent.sum(axis=1), dtype=float)


def interval(values: Floats) -> Interval | None:
    """Mean, sample standard deviation and percentiles of what is not nan; None where nothing is."""
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    low, high = np.percentile(known, [2.5, 97.5])
    std = float(known.std(ddof=1)) if len(known) > 1 else 0.0
    return Interval(float(known.mean()), std, float(low), float(high), len(known))
