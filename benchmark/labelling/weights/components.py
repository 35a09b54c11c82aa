"""The points of a grid as products of a few components, without those whose scores have the same signs.

Multiplying all weights of a group's metrics by one factor changes no score, and multiplying all weights of groups
changes no sign. Of such points one is searched, and counted as often as there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import prod
from operator import add, mul

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.weights.comparison import Flags, Floats, Ints, exact
from benchmark.labelling.weights.grid import Axis, Grid

_UNITS = 1_000_000
_FARTHEST = 4.0
"""In widths of the list. It bounds the sum of squares, which shares 63 bits with the number of the point."""


@dataclass(frozen=True)
class Component:
    """The combinations of some lists next to each other, in classes of proportional ones.

    class_of: by combination. rows: the smallest combination of each class, which stands for it. keys: of the best
    member of each: its squared distance from the wanted weights times the grid's number of points, plus what it adds
    to the number of the point; least is best, and keys of components add up. members: how many each class has.
    largest_factor: the greatest by which combinations are multiples of each other.
    """

    axes: tuple[Axis, ...]
    class_of: Ints
    rows: Ints
    keys: Ints
    members: Ints
    largest_factor: Fraction

    @property
    def size(self) -> int:
        """How many classes there are."""
        return len(self.rows)

    @property
    def shape(self) -> list[int]:
        """How many weights each list has."""
        return [len(axis) for axis in self.axes]

    def weights(self, which: Ints) -> Floats:
        """Of what stands for some classes: classes × lists."""
        return self._weights_at(self.rows[which])

    def members_of(self, which: int) -> Floats:
        """The weights of all members of one class: members × lists."""
        return self._weights_at(np.flatnonzero(self.class_of == which))

    def _weights_at(self, rows: Ints) -> Floats:
        places = np.unravel_index(rows, self.shape)
        return np.stack(
            [np.array(axis)[place] for axis, place in zip(self.axes, places, strict=True)], axis=1
        )

    def member_weights(self, chosen: Flags) -> list[list[float]]:
        """By list, the weights that members of the chosen classes have, in the list's order."""
        there = chosen[self.class_of].reshape(self.shape)
        numbers = np.arange(len(self.axes))
        flags = [np.any(there, axis=tuple(np.delete(numbers, number))) for number in numbers]
        return [
            [weight for weight, has in zip(axis, has_any.tolist(), strict=True) if has]
            for axis, has_any in zip(self.axes, flags, strict=True)
        ]


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
        return [positions[self.order.index(number)] for number in range(len(sizes))]

    def runs(self, start: int, stop: int, most: int) -> Iterator[tuple[int, int]]:
        """Parts of the points from start to stop, so many at most, that differ in the fastest component alone."""
        length = self.components[self.order[-1]].size
        while start < stop:
            end = min(stop, start - start % length + length, start + most)
            yield start, end
            start = end

    def keys(self, places: list[Ints]) -> Ints:
        """Of points: which of equally good ones is taken, least first. Modulo the grid's points it is its number."""
        return reduce(add, [c.keys[place] for c, place in zip(self.components, places, strict=True)])

    def members(self, places: list[Ints]) -> Ints:
        """How many points of the grid each stands for."""
        return reduce(mul, [c.members[place] for c, place in zip(self.components, places, strict=True)])


def classes_of(grid: Grid, *, merge_groups: bool = True) -> Classes:
    """The points of a grid.

    merge_groups: take proportional weights of groups for one, as long as no difference is so close to 1e-12 that the
    factor decides.
    """
    wanted = grid.values_of(grid.defaults) if grid.defaults else [(min(a) + max(a)) / 2 for a in grid.axes]
    strides = np.cumprod([1, *map(len, reversed(grid.axes))])[-2::-1]
    keys = [
        _distances(axis, value) * grid.points + np.arange(len(axis)) * stride
        for axis, value, stride in zip(grid.axes, wanted, strides, strict=True)
    ]
    return Classes(
        grid,
        tuple(
            _component(tuple(grid.axes[part]), keys[part], merge=merge_groups or number > 0)
            for number, part in enumerate(grid.parts)
        ),
    )


def _component(axes: tuple[Axis, ...], keys: list[Ints], *, merge: bool) -> Component:
    """keys: of each weight of each list; those of a combination add up."""
    keys_of_all: Ints = reduce(np.add.outer, keys)
    numbers = np.arange(keys_of_all.size).reshape(keys_of_all.shape)
    smallest, best, largest_factor = numbers.copy(), keys_of_all.copy(), Fraction(1)
    for factor, small, great in _proportional(axes) if merge else ():
        # Factors rise, so that what is written last is the smallest of the class.
        smallest[great], largest_factor = numbers[small], factor
        best[small] = np.minimum(best[small], keys_of_all[great])
    stands = (smallest == numbers).ravel()
    rows, class_of = np.flatnonzero(stands), (np.cumsum(stands) - 1)[smallest.ravel()]
    return Component(axes, class_of, rows, best.ravel()[rows], np.bincount(class_of), largest_factor)


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
