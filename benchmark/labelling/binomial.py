"""Exact figures of shares: intervals and tests of the binomial distribution."""

from __future__ import annotations

LEVEL = 0.95


def clopper_pearson(hits: int, trials: int, level: float = LEVEL) -> tuple[float, float] | None:
    """The exact interval of a share (Clopper and Pearson 1934); None of no trials.

    It covers the true share in at least `level` of all samples. Its ends are quantiles of beta distributions.
    """
    from scipy.special import betaincinv

    if not trials:
        return None
    tail = (1 - level) / 2
    low = float(betaincinv(hits, trials - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, trials - hits, 1 - tail)) if hits < trials else 1.0
    return low, high


def even_chance(hits: int, trials: int) -> float | None:
    """The two-sided p of the exact binomial test that the share is one half; None of no trials."""
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(hits, trials - hits), trials, 0.5))) if trials else None
