"""The points of a grid as products of a few components, without those whose scores have the same signs.

Multiplying all weights of a group's metrics by one factor changes no score, and multiplying all weights of groups
changes no sign. Of such points one is searched, and counted as often as there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import pairwise
from math import prod
from operator import add, mul

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.weights.grid import Axis, Grid

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_UNITS = 1_000_000
_AT_ONCE = 1_000_000
"""Classes whose members are listed at a time."""
_FARTHEST = 4.0
"""In widths of the list. It bounds the sum of squares, which shares 63 bits with the number of the point."""


@lru_cache(maxsize=65_536)
def exact(number: float) -> Fraction:
    """A number as it is written in decimals, so that 0.1 is a tenth."""
    return Fraction(repr(number))


@dataclass(frozen=True)
class Component:
    """The combinations of some lists next to each other, one of each class of proportional ones.

    rows: number of each among all combinations. keys: of the best member of its class: its squared distance from the
    wanted weights times the grid's number of points, plus what it adds to the number of the point; least is best, and
    keys of components add up. members: how many the class has. largest: the place in `factors` of the greatest by
    which a member is a multiple of what stands for the class.
    """

    axes: tuple[Axis, ...]
    rows: Ints
    keys: Ints
    members: Ints
    largest: NDArray[np.int16]
    factors: tuple[Fraction, ...]

    @property
    def size(self) -> int:
        """How many classes there are."""
        return len(self.rows)

    def weights(self, which: Ints) -> Floats:
        """Of some classes: classes × lists."""
        places = np.unravel_index(self.rows[which], [len(axis) for axis in self.axes])
        return np.stack(
            [np.array(axis)[place] for axis, place in zip(self.axes, places, strict=True)], axis=1
        )

    def member_weights(self, which: Ints) -> list[list[float]]:
        """By list, the weights that members of some classes have, in the list's order."""
        shape = [len(axis) for axis in self.axes]
        seen = [np.zeros(size, dtype=bool) for size in shape]
        for start in range(0, len(which), _AT_ONCE):
            places = np.array(np.unravel_index(self.rows[which[start : start + _AT_ONCE]], shape))
            for factor in self.factors:
                times = [
                    _multiples(axis, factor)[place] for axis, place in zip(self.axes, places, strict=True)
                ]
                there = np.all([time >= 0 for time in times], axis=0)
                for flags, time in zip(seen, times, strict=True):
                    flags[time[there]] = True
        return [
            [weight for weight, has in zip(axis, flags, strict=True) if has]
            for axis, flags in zip(self.axes, seen, strict=True)
        ]


def _multiples(axis: Axis, factor: Fraction) -> Ints:
    """For each weight of a list the place of its multiple there, -1 where it has none."""
    place = {exact(weight): number for number, weight in enumerate(axis)}
    return np.array([place.get(exact(weight) * factor, -1) for weight in axis], dtype=np.int64)


@dataclass(frozen=True)
class Classes:
    """The points to search: a combination of one class of each component. components[0]: the weights of groups."""

    grid: Grid
    components: tuple[Component, ...]

    @property
    def count(self) -> int:
        """How many points are searched."""
        return prod(component.size for component in self.components)

    @cached_property
    def order(self) -> list[int]:
        """Components from the slowest to the fastest: first the weights of groups, last the largest group."""
        return [0, *sorted(range(1, len(self.components)), key=lambda number: self.components[number].size)]

    def places(self, start: int, stop: int) -> list[Ints]:
        """Of the points from start to stop, the class in each component."""
        sizes = [self.components[number].size for number in self.order]
        positions = np.unravel_index(np.arange(start, stop), sizes)
        by_number = dict(zip(self.order, positions, strict=True))
        return [by_number[number] for number in range(len(self.components))]

    def runs(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Parts of the points from start to stop that differ in the fastest component alone."""
        length = self.components[self.order[-1]].size
        while start < stop:
            end = min(stop, start - start % length + length)
            yield start, end
            start = end

    def keys(self, places: list[Ints]) -> Ints:
        """Of points: which of equally good ones is taken, least first."""
        return reduce(add, [c.keys[place] for c, place in zip(self.components, places, strict=True)])

    def members(self, places: list[Ints]) -> Ints:
        """How many points of the grid each stands for."""
        return reduce(mul, [c.members[place] for c, place in zip(self.components, places, strict=True)])

    def index(self, key: int) -> int:
        """The number of the point of the grid with this key."""
        return key % self.grid.points


def classes_of(grid: Grid, *, merge_groups: bool = True) -> Classes:
    """The points of a grid.

    merge_groups: take proportional weights of groups for one, as long as no difference is so close to 1e-12 that the
    factor decides.
    """
    reference = grid.values_of(grid.defaults) if grid.defaults else [_middle(axis) for axis in grid.axes]
    strides = np.cumprod([1, *map(len, reversed(grid.axes))])[-2::-1]
    sizes = [len(grid.groups), *(len(group.metrics) for group in grid.groups)]
    bounds = pairwise(np.cumsum([0, *sizes]))
    parts = [
        _component(
            tuple(grid.axes[start:stop]), reference[start:stop], strides[start:stop], grid.points, merge=merge
        )
        for (start, stop), merge in zip(bounds, [merge_groups, *[True] * len(grid.groups)], strict=True)
    ]
    return Classes(grid, tuple(parts))


def _middle(axis: Axis) -> float:
    return (min(axis) + max(axis)) / 2


def _component(
    axes: tuple[Axis, ...], reference: list[float], strides: Ints, points: int, *, merge: bool
) -> Component:
    shape = tuple(map(len, axes))
    keys = np.zeros(shape, dtype=np.int64)
    for number, (axis, wanted, stride) in enumerate(zip(axes, reference, strides, strict=True)):
        along = [1] * len(axes)
        along[number] = len(axis)
        keys += (_distances(axis, wanted) * points + np.arange(len(axis)) * stride).reshape(along)
    proportional_axes = list(_proportional(axes)) if merge else []
    members = np.ones(shape, dtype=np.int64)
    multiple = np.zeros(shape, dtype=bool)
    largest = np.zeros(shape, dtype=np.int16)
    best = keys.copy()
    for place, (_, small, great) in enumerate(proportional_axes, 1):
        members[small] += 1
        multiple[great] = True
        best[small] = np.minimum(best[small], keys[great])
        largest[small] = place
    if zero := _all_zero(axes):
        multiple[zero], members[zero], best[zero], largest[zero] = False, 1, keys[zero], 0
    rows = np.flatnonzero(~multiple)
    factors = (Fraction(1), *(factor for factor, _, _ in proportional_axes))
    return Component(axes, rows, best.ravel()[rows], members.ravel()[rows], largest.ravel()[rows], factors)


def _distances(axis: Axis, wanted: float) -> Ints:
    """Squares of the distance in widths of the list, in millionths: sums of whole numbers are the same anywhere."""
    width = max(axis) - min(axis)
    if not width:
        return np.zeros(len(axis), dtype=np.int64)
    away = np.minimum(np.abs(np.array(axis) - wanted) / width, _FARTHEST)
    squares: Ints = np.rint(away * away * _UNITS).astype(np.int64)
    return squares


Block = tuple[NDArray[np.intp], ...]


def _proportional(axes: tuple[Axis, ...]) -> Iterator[tuple[Fraction, Block, Block]]:
    """Factors above 1 in rising order, with the combinations that have a multiple, and with the multiples."""
    numbers = [[exact(weight) for weight in axis] for axis in axes]
    factors = {b / a for axis in numbers for a in axis for b in axis if 0 < a < b}
    for factor in sorted(factors):
        pairs = [
            [(axis.index(a), axis.index(a * factor)) for a in axis if a * factor in axis] for axis in numbers
        ]
        if all(pairs):
            small = np.ix_(*[[start for start, _ in axis] for axis in pairs])
            great = np.ix_(*[[end for _, end in axis] for axis in pairs])
            yield factor, small, great


def _all_zero(axes: tuple[Axis, ...]) -> tuple[int, ...] | None:
    """Where all weights are 0, which is no multiple of anything."""
    return tuple(axis.index(0.0) for axis in axes) if all(0.0 in axis for axis in axes) else None
