"""How far places are from each other, and the shortest way by all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, permutations, repeat
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sandbox.worlds.geo import great_circle_km as great_circle_km

MOST_STOPS = 20
"""Of which the shortest order is looked for: one stop more takes more than twice the time and memory
(docs/decisions/0063)."""

S = TypeVar("S")
Figures = NDArray[np.float64]
Sets = NDArray[np.int64]
_MOST_TRIED = 7
"""Stops between the ends, all orders of which are tried: for few of them that is faster."""
_MOST_AT_ONCE = 2**10
"""Sets that are worked out together, so that memory stays small."""


def length_km(stops: Sequence[S], km: Callable[[S, S], float]) -> float:
    """Kilometres from the first stop by all others, in their order; 0 for fewer than two."""
    return math.fsum(km(a, b) for a, b in pairwise(stops))


def shortest_km(stops: Sequence[S], km: Callable[[S, S], float]) -> float | None:
    """Kilometres of the shortest way from the first stop to the last by all others; None above `MOST_STOPS` stops.

    It is exact, and never longer than the way as given. km: from one stop to another, a number; there and back may be
    of unlike length.
    """
    order = shortest_order(stops, km)
    if order is None:
        return None
    return min(length_km(stops, km), length_km([stops[each] for each in order], km))


def shortest_order(stops: Sequence[S], km: Callable[[S, S], float]) -> tuple[int, ...] | None:
    """The positions of the stops on their shortest way; the first and the last stay where they are.

    None above `MOST_STOPS` stops.
    """
    if len(stops) > MOST_STOPS:
        return None
    if len(stops) <= 3:
        return tuple(range(len(stops)))
    table = np.array([[*map(km, repeat(a), stops)] for a in stops], np.float64)
    if len(stops) - 2 <= _MOST_TRIED:
        orders, steps = _orders(len(stops))
        return orders[int(table.take(steps).sum(axis=1).argmin())]
    return (0, *(stop + 1 for stop in _inner_order(table)), len(stops) - 1)


def _inner_order(km: Figures) -> list[int]:
    """The order of the stops between the two ends, read from the end (Held and Karp 1962). They count from 0."""
    least, inner, after = _least_ways(km), km[1:-1, 1:-1], km[1:-1, -1]
    order: list[int] = []
    left = (1 << len(inner)) - 1
    while left:
        last = int(np.argmin(least[:, left] + after))
        order.append(last)
        left ^= 1 << last
        after = inner[:, last]
    return order[::-1]


def _least_ways(km: Figures) -> Figures:
    """Kilometres from the first stop by a set of inner ones, by the one at the end of the way and the set.

    A set is a number with a bit for each stop. Sets of one size are worked out at once from those that are one
    smaller. What ends at a stop outside its set is infinite.
    """
    inner = km[1:-1, 1:-1]
    count = len(inner)
    lasts = np.arange(count)
    least = np.full((count, 1 << count), np.inf)
    least[lasts, 1 << lasts] = km[0, 1:-1]
    for ending, before in _steps(count):
        ways = least.take(before, axis=1) + inner[:, :, None]
        least[lasts[:, None], ending] = np.minimum.reduce(ways)
    return least


def _steps(count: int) -> Iterator[tuple[Sets, Sets]]:
    """Sets of one size with each of `count` stops, a row a stop, and the same without it; small ones first."""
    sets, bits = np.arange(1 << count), 1 << np.arange(count)
    sizes = np.bitwise_count(sets)
    for size in range(2, count + 1):
        of_size = sets[sizes == size]
        ending = np.array([of_size[of_size & bit > 0] for bit in bits])
        for first in range(0, ending.shape[1], _MOST_AT_ONCE):
            part = ending[:, first : first + _MOST_AT_ONCE]
            yield part, part ^ bits[:, None]


@lru_cache
def _orders(count: int) -> tuple[list[tuple[int, ...]], Sets]:
    """The orders of so many stops, and a row each: where a table of them has the ways from one to the next."""
    inner = permutations(range(1, count - 1))
    orders = [(0, *backwards[::-1], count - 1) for backwards in inner]
    stops = np.array(orders)
    return orders, stops[:, :-1] * count + stops[:, 1:]
