"""The search itself: every point of a grid against every pair, in one pass for all questions at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.weights.comparison import (
    Comparison,
    Flags,
    ScaleMatters,
    Thresholds,
    settled,
)
from benchmark.labelling.weights.components import Classes, Component, Floats, Ints, classes_of
from benchmark.labelling.weights.grid import Grid

Progress = Callable[[int], None]
"""Called with the number of points that were done since the last call; what it raises ends the search."""

_CHUNK, _BLOCK = 3_000_000, 200_000
"""Differences at a time: of one product of matrices, and of what comes before it, which should stay in the cache."""
_TABLE = 8_000_000
"""Differences of one group that are kept, 64 MB."""
_FLOAT32_EXACT = 2**24
_NO_KEY = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Best:
    """For each question the best value, the point of the grid that is taken, and how many points reach it.

    right: how many points of the grid are right on 0, 1, … pairs. searched: points that were looked at. tied_weights:
    by list of the grid, the weights with which some point reaches the best value of the first question.
    """

    values: Ints
    points: Ints
    reached_counts: Ints
    right: Ints
    searched: int
    tied_weights: list[list[float]]


def best_points(
    comparison: Comparison, grid: Grid, questions: Ints, progress: Progress = lambda done: None
) -> Best:
    """The points of the grid with the largest sum over pairs that they order as labelled.

    questions: pairs × questions, whole numbers: what being right on a pair counts in each. Of equal points the one
    with the least key is taken (`Component.keys`): nearest to the wanted weights, then first.
    """
    try:
        return _Pass(comparison, classes_of(grid), questions).run(progress)
    except ScaleMatters:
        return _Pass(comparison, classes_of(grid, merge_groups=False), questions).run(progress)


class _Pass:
    """One pass over the points of a grid."""

    def __init__(self, comparison: Comparison, classes: Classes, questions: Ints) -> None:
        self._comparison, self._classes = comparison, classes
        exact32 = int(questions.sum(axis=0).max()) < _FLOAT32_EXACT
        self._kind = np.float32 if exact32 else np.float64
        self._questions = np.column_stack([np.ones(len(questions)), questions]).astype(self._kind)
        self._tables = [
            _Table(comparison, number, component) for number, component in enumerate(classes.components[1:])
        ]
        groups = classes.components[0]
        self._thresholds = Thresholds.of(comparison, list(map(max, groups.axes)), max(groups.factors))
        self._leaders = _Leaders(questions.shape[1])
        self._ties = _TiedClasses(classes)
        self._right = np.zeros(comparison.count + 1, dtype=np.int64)
        rows = max(1, min(classes.count, _CHUNK // max(questions.shape)))
        self._block = max(1, _BLOCK // comparison.count)
        self._sure = np.empty((rows, comparison.count), dtype=bool)
        self._possible = np.empty((min(rows, self._block), comparison.count), dtype=bool)
        self._numbers = np.empty((rows, comparison.count), dtype=self._kind)

    def run(self, progress: Progress) -> Best:
        """Look at all points."""
        classes, rows = self._classes, len(self._sure)
        for start in range(0, classes.count, rows):
            stop = min(start + rows, classes.count)
            self._look(start, stop)
            progress(stop - start)
        points = np.array([classes.index(int(key)) for key in self._leaders.keys], dtype=np.int64)
        leaders = self._leaders
        return Best(
            leaders.values, points, leaders.reached_counts, self._right, classes.count, self._ties.weights()
        )

    def _look(self, start: int, stop: int) -> None:
        places = self._classes.places(start, stop)
        count = stop - start
        for first, last in self._classes.runs(start, stop):
            for begin in range(first - start, last - start, self._block):
                end = min(begin + self._block, last - start)
                self._mark([place[begin:end] for place in places], self._sure[begin:end])
        np.copyto(self._numbers[:count], self._sure[:count])
        sums = self._numbers[:count] @ self._questions
        members = self._classes.members(places)
        right = np.bincount(sums[:, 0].astype(np.int64), members, minlength=len(self._right))
        self._right += np.rint(right).astype(np.int64)
        self._leaders.meet(sums[:, 1:], self._classes.keys(places), members)
        self._ties.meet(sums[:, 1], places)

    def _mark(self, places: list[Ints], sure: Flags) -> None:
        """Set which pairs each point of a part of a run orders as labelled."""
        group_weights = self._classes.components[0].weights(places[0][:1])[0]
        *others, fastest = self._classes.order[1:]
        known = np.zeros(self._comparison.count)
        for number in others:
            known += group_weights[number - 1] * self._tables[number - 1].row(int(places[number][0]))
        weight = float(group_weights[fastest - 1])
        differences = self._tables[fastest - 1].rows(places[fastest])
        if not weight:
            differences, weight = np.zeros_like(differences), 1.0
        possible = self._possible[: len(sure)]
        doubtful = self._thresholds.mark(differences, known, weight, sure, possible)
        for row, pair in zip(*(places.tolist() for places in doubtful), strict=True):
            sure[row, pair] = self._settled([place[row : row + 1] for place in places], pair)

    def _settled(self, place: list[Ints], pair: int) -> bool:
        """Whether one point orders one pair as labelled, exactly."""
        components = self._classes.components
        group_weights, *weights = [
            component.weights(number)[0].tolist() for component, number in zip(components, place, strict=True)
        ]
        difference = self._comparison.exact_difference(pair, group_weights, weights)
        factor = components[0].factors[int(components[0].largest[place[0]][0])]
        return settled(difference, pair < self._comparison.decided_count, factor)


class _Table:
    """The differences of one group's weighted means, kept where they are few."""

    def __init__(self, comparison: Comparison, number: int, component: Component) -> None:
        self._sides, self._component = comparison.sides[number], component
        few = component.size * comparison.count <= _TABLE
        self._differences = self._compute_differences(np.arange(component.size)) if few else None

    def row(self, place: int) -> Floats:
        """Of one class, by pair."""
        return self.rows(np.array([place]))[0]  # type: ignore[no-any-return]

    def rows(self, places: Ints) -> Floats:
        """Of classes that follow each other: classes × pairs."""
        if self._differences is not None:
            return self._differences[places[0] : places[-1] + 1]
        return self._compute_differences(places)

    def _compute_differences(self, places: Ints) -> Floats:
        return self._sides.differences(self._component.weights(places))


class _Leaders:
    """The best of each question so far."""

    def __init__(self, questions: int) -> None:
        self.values: Ints = np.full(questions, -1, dtype=np.int64)
        self.keys: Ints = np.full(questions, _NO_KEY, dtype=np.int64)
        self.reached_counts: Ints = np.zeros(questions, dtype=np.int64)

    def meet(self, sums: NDArray[np.floating], keys: Ints, members: Ints) -> None:
        """Compare with further points. found: points × questions. keys, members: by point."""
        most = sums.max(axis=0).astype(np.int64)
        better = most > self.values
        self.values[better], self.keys[better], self.reached_counts[better] = most[better], _NO_KEY, 0
        as_good = np.flatnonzero(most == self.values)
        rows, places = np.nonzero(sums[:, as_good] == most[as_good])
        columns = as_good[places]
        np.minimum.at(self.keys, columns, keys[rows])
        np.add.at(self.reached_counts, columns, members[rows])


class _TiedClasses:
    """The classes of each component that reach the best of the first question so far."""

    def __init__(self, classes: Classes) -> None:
        self._components, self._best = classes.components, -1
        self._reached_flags: list[Flags] = [
            np.zeros(component.size, dtype=bool) for component in self._components
        ]

    def meet(self, sums: NDArray[np.floating], places: list[Ints]) -> None:
        """Compare with further points. found: by point. places: by component, the class of each point."""
        most = int(sums.max())
        if most < self._best:
            return
        if most > self._best:
            self._best = most
            for reached in self._reached_flags:
                reached[:] = False
        rows = np.flatnonzero(sums == most)
        for reached, place in zip(self._reached_flags, places, strict=True):
            reached[place[rows]] = True

    def weights(self) -> list[list[float]]:
        """By list of the grid, in its order: the weights of these classes, of all their members."""
        parts = zip(self._components, self._reached_flags, strict=True)
        return [
            axis for component, reached in parts for axis in component.member_weights(np.flatnonzero(reached))
        ]
