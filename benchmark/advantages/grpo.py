"""Advantages of whole rollouts (GRPO)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean


def advantages(rewards: Sequence[float], ddof: int = 0, eps: float = 1e-6) -> list[float]:
    """The distance of each reward of a group from their mean, in deviations; 0 where all are equal."""
    if len(rewards) <= ddof:
        return [0.0] * len(rewards)
    mean = fmean(rewards)
    deviation = math.sqrt(math.fsum((reward - mean) ** 2 for reward in rewards) / (len(rewards) - ddof))
    if deviation == 0 or max(rewards) == min(rewards):
        return [0.0] * len(rewards)
    return [(reward - mean) / (deviation + eps) for reward in rewards]
