"""Choosing requests that differ: K-Center-Greedy over embeddings (Sener and Savarese 2018), balanced by intent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmark.making import Vectors

Balance = Literal["share", "even", "none"]
BALANCES: tuple[Balance, ...] = ("share", "even", "none")
Floats = NDArray[np.float64]
_CHOSEN_MARK = -1.0


def k_center_greedy(
    vectors: Vectors,
    count: int,
    *,
    groups: Sequence[str] | None = None,
    quotas: Counter[str] | None = None,
    first: int | None = None,
    progress: Callable[[int, int], None] = lambda done, whole: None,
) -> list[int]:
    """The rows that are chosen, in the order in which they are.

    Each is the one that is farthest (Euclidean) from its nearest chosen one, of equals the first row. The first is
    `first`, or else the one farthest from the mean of all. groups, quotas: the group of each row, and how many of
    each group there is room for.

    Raises:
        ValueError: count is not 1 to the number of rows, or the quotas have less room.
    """
    if not 1 <= count <= len(vectors):
        raise ValueError(f"{count} of {len(vectors)} rows can't be chosen; ask for 1 to {len(vectors)}")
    points = np.ascontiguousarray(vectors, dtype=np.float64)
    lengths = np.einsum("ij,ij->i", points, points)
    room = _Room(groups, quotas, len(points))
    nearest = _squares(points, lengths, points.mean(axis=0))
    chosen: list[int] = []
    for number in range(count):
        row = first if first is not None and not chosen else _farthest(nearest, room)
        distances = _squares(points, lengths, points[row])
        nearest = distances if number == 0 else np.minimum(nearest, distances)
        chosen.append(row)
        nearest[chosen] = _CHOSEN_MARK
        room.take(row)
        progress(number + 1, count)
    return chosen


def _squares(points: Floats, lengths: Floats, center: Floats) -> Floats:
    """Squared distances of all points from one: they have the same order as the distances."""
    squares: Floats = lengths - 2.0 * (points @ center) + center @ center
    return np.maximum(squares, 0.0)


def _farthest(nearest: Floats, room: _Room) -> int:
    wanted = nearest if room.open is None else np.where(room.open, nearest, 2 * _CHOSEN_MARK)
    row = int(np.argmax(wanted))
    if wanted[row] < 0:
        raise ValueError("the quotas of the groups have less room than rows are to be chosen")
    return row


class _Room:
    """Which rows may be chosen still. open: None for all of them."""

    def __init__(self, groups: Sequence[str] | None, quotas: Counter[str] | None, rows: int) -> None:
        self.open: NDArray[np.bool_] | None = None
        if groups is None or quotas is None:
            return
        if len(groups) != rows:
            raise ValueError(f"{len(groups)} groups for {rows} rows")
        self._names, self._quotas_left = np.array(groups), Counter(quotas)
        self.open = np.isin(self._names, [name for name, left in quotas.items() if left > 0])

    def take(self, row: int) -> None:
        """One of its group is chosen."""
        if self.open is None:
            return
        name = str(self._names[row])
        self._quotas_left[name] -= 1
        if self._quotas_left[name] <= 0:
            self.open &= self._names != name


def quotas_of(groups: Sequence[str], count: int, balance: Balance) -> Counter[str] | None:
    """How many of each group are chosen, together `count`; None without balance.

    share: each as large a part of the chosen as of all (largest remainders, of equal ones the larger group, then by
    name). even: all alike as far as they reach.
    """
    sizes = Counter(groups)
    if balance == "none":
        return None
    return _even(sizes, count) if balance == "even" else _by_share(sizes, count)


def _by_share(sizes: Counter[str], count: int) -> Counter[str]:
    whole = sizes.total()
    counts = Counter({name: count * size // whole for name, size in sizes.items()})
    left = sorted(sizes, key=lambda name: (-(count * sizes[name] % whole), -sizes[name], name))
    counts.update(left[: count - counts.total()])
    return counts


def _even(sizes: Counter[str], count: int) -> Counter[str]:
    """The smallest groups first, each an equal part of what is left."""
    counts: Counter[str] = Counter()
    ordered = sorted(sizes, key=lambda name: (sizes[name], name))
    for place, name in enumerate(ordered):
        counts[name] = min(sizes[name], (count - counts.total()) // (len(ordered) - place))
    return counts
