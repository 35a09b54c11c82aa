"""Drawing that depends on nothing but a seed and a name: what one draw is made for never moves another."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
_MOST_TILT = 40.0


def dice(*key: object) -> Random:
    """A generator of its own for each key, such as (seed, slot, user, field)."""
    text = "\x1f".join(map(str, key))
    return Random(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big"))


def pick(rng: Random, weights: Mapping[T, float]) -> T:
    """One key by its weight. Raises ValueError where no weight is above 0."""
    total = math.fsum(weights.values())
    if total <= 0:
        raise ValueError("nothing to draw from")
    at = rng.random() * total
    last = None
    for key, weight in weights.items():
        if weight > 0:
            last = key
            at -= weight
            if at < 0:
                return key
    assert last is not None
    return last


def pick_several(rng: Random, weights: Mapping[T, float], count: int) -> list[T]:
    """Up to `count` different keys, each by its weight among those left; fewer where fewer have a weight above 0."""
    left = {key: weight for key, weight in weights.items() if weight > 0}
    picks: list[T] = []
    while left and len(picks) < count:
        picks.append(pick(rng, left))
        del left[picks[-1]]
    return picks


def shares(total: int, weights: Sequence[float]) -> list[int]:
    """Whole numbers that add up to `total` in the proportion of `weights`, by largest remainder (ties: the first).

    Raises ValueError where no weight is above 0.
    """
    whole = math.fsum(weights)
    if whole <= 0:
        raise ValueError("no weights to share by")
    exact = [total * weight / whole for weight in weights]
    whole_shares = [math.floor(share) for share in exact]
    rest = sorted(range(len(weights)), key=lambda at: (whole_shares[at] - exact[at], at))
    for at in rest[: total - sum(whole_shares)]:
        whole_shares[at] += 1
    return whole_shares


def tilt(weights: Mapping[int, float], mean: float) -> dict[int, float]:
    """The weights of counts, multiplied by t to the power of the count so that their mean is `mean`.

    A mean that the counts can't have gives the nearest one that they can.
    """
    low, high = -_MOST_TILT, _MOST_TILT
    for _ in range(60):
        middle = (low + high) / 2
        if _mean(_scale(weights, middle)) < mean:
            low = middle
        else:
            high = middle
    return _scale(weights, (low + high) / 2)


def _scale(weights: Mapping[int, float], power: float) -> dict[int, float]:
    return {count: weight * math.exp(power * count) for count, weight in weights.items()}


def _mean(weights: Mapping[int, float]) -> float:
    return math.fsum(count * weight for count, weight in weights.items()) / math.fsum(weights.values())
