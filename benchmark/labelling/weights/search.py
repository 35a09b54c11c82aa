"""The search itself: every point of a grid against every pair, in one pass for all questions at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.weights.comparison import Comparison, Flags, Floats, Ints, Sides
from benchmark.labelling.weights.components import Classes, Component, classes_of
from benchmark.labelling.weights.grid import Grid

Progress = Callable[[int], None]
"""Called with the number of points that were done since the last call; what it raises ends the search."""

_CHUNK, _BLOCK = 3_000_000, 200_000
"""Differences at a time: of one product of matrices, and of what comes before it, which should stay in the cache."""
_TABLE = 8_000_000
"""Differences of one group that are kept, 64 MB."""
_FLOAT32_EXACT = 2**24
_NO_KEY = np.iinfo(np.int64).max


class _ScaleMatters(Exception):
    """A difference is so close to 1e-12 that points whose group weights are proportional do not agree on it."""


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
    except _ScaleMatters:
        return _Pass(comparison, classes_of(grid, merge_groups=False), questions).run(progress)


class _Pass:
    """One pass over the points of a grid."""

    def __init__(self, comparison: Comparison, classes: Classes, questions: Ints) -> None:
        self._comparison, self._classes = comparison, classes
        exact32 = int(questions.sum(axis=0).max()) < _FLOAT32_EXACT
        self._kind = np.float32 if exact32 else np.float64
        self._questions = np.column_stack([np.ones(len(questions)), questions]).astype(self._kind)
        groups, *of_metrics = classes.components
        self._differences = [
            _differences_of(sides, component, comparison.count)
            for sides, component in zip(comparison.sides, of_metrics, strict=True)
        ]
        self._thresholds = comparison.thresholds(list(map(max, groups.axes)), groups.largest_factor)
        self._leaders = _Leaders(classes, questions.shape[1])
        self._right = np.zeros(comparison.count + 1, dtype=np.int64)
        rows = max(1, min(classes.count, _CHUNK // max(questions.shape)))
        self._block = max(1, _BLOCK // comparison.count)
        self._sure = np.empty((rows, comparison.count), dtype=bool)
        self._possible = np.empty((min(rows, self._block), comparison.count), dtype=bool)
        self._numbers = np.empty((rows, comparison.count), dtype=self._kind)

    def run(self, progress: Progress) -> Best:
        """Look at all points."""
        classes, leaders, rows = self._classes, self._leaders, len(self._sure)
        for start in range(0, classes.count, rows):
            stop = min(start + rows, classes.count)
            self._look(start, stop)
            progress(stop - start)
        points = leaders.keys % classes.grid.points
        tied_weights = leaders.tied_weights()
        return Best(leaders.values, points, leaders.reached_counts, self._right, classes.count, tied_weights)

    def _look(self, start: int, stop: int) -> None:
        places, numbers = self._classes.places(start, stop), self._numbers[: stop - start]
        for first, last in self._classes.runs(start, stop, self._block):
            part = slice(first - start, last - start)
            self._mark([place[part] for place in places], self._sure[part])
        np.copyto(numbers, self._sure[: stop - start])
        sums = numbers @ self._questions
        members = self._classes.members(places)
        right = np.bincount(sums[:, 0].astype(np.int64), members, minlength=len(self._right))
        self._right += np.rint(right).astype(np.int64)
        self._leaders.meet(sums[:, 1:], places, members)

    def _mark(self, places: list[Ints], sure: Flags) -> None:
        """Set which pairs each point of a part of a run orders as labelled."""
        group_weights = self._classes.components[0].weights(places[0][:1])[0]
        *others, fastest = self._classes.order[1:]
        known = np.zeros(self._comparison.count)
        for number in others:
            known += group_weights[number - 1] * self._differences[number - 1](places[number][:1])[0]
        weight = float(group_weights[fastest - 1])
        differences = self._differences[fastest - 1](places[fastest])
        if not weight:
            differences, weight = np.zeros_like(differences), 1.0
        possible, (equal, unequal) = self._possible[: len(sure)], self._thresholds
        self._compare(differences, known, weight, unequal, equal, sure)
        self._compare(differences, known, weight, equal, unequal, possible)
        doubtful = possible > sure
        for row, pair in np.argwhere(doubtful).tolist() if doubtful.any() else ():  # any() is far quicker
            sure[row, pair] = self._is_as_labelled([int(place[row]) for place in places], pair)

    def _compare(
        self,
        differences: Floats,
        known: Floats,
        weight: float,
        above: Floats,
        within: Floats,
        as_labelled: Flags,
    ) -> None:
        """Set where weight · difference + known is above a threshold, or within one where the label says equal.

        It is the thresholds that are turned into those of the difference, since there are fewer. weight: above 0.
        """
        decided = self._comparison.decided_count
        least, low, high = ((bound - known) / weight for bound in (above, -within, within))
        rest = differences[:, decided:]
        np.greater(differences[:, :decided], least[:decided], out=as_labelled[:, :decided])
        np.less_equal(rest, high[decided:], out=as_labelled[:, decided:])
        as_labelled[:, decided:] &= rest >= low[decided:]

    def _is_as_labelled(self, place: list[int], pair: int) -> bool:
        """Whether one point orders one pair as labelled, exactly. Raises _ScaleMatters if its multiples differ."""
        groups, *others = self._classes.components
        inner = [c.weights(np.array([own]))[0] for c, own in zip(others, place[1:], strict=True)]
        verdicts = {
            self._comparison.is_as_labelled(
                pair, self._comparison.exact_difference(pair, np.concatenate([of_groups, *inner]).tolist())
            )
            for of_groups in groups.members_of(place[0])
        }
        if len(verdicts) > 1:
            raise _ScaleMatters
        return verdicts.pop()


def _differences_of(sides: Sides, component: Component, pairs: int) -> Callable[[Ints], Floats]:
    """What gives the differences of a group's means, of classes that follow each other; kept where they are few."""
    if component.size * pairs > _TABLE:
        return lambda places: sides.differences(component.weights(places))
    differences = sides.differences(component.weights(np.arange(component.size)))
    return lambda places: differences[places[0] : places[-1] + 1]


class _Leaders:
    """The best of each question so far, and the classes of each component that reach the best of the first."""

    def __init__(self, classes: Classes, questions: int) -> None:
        self._classes = classes
        self._tied_flags: list[Flags] = [np.zeros(c.size, dtype=bool) for c in classes.components]
        self.values: Ints = np.full(questions, -1, dtype=np.int64)
        self.keys: Ints = np.full(questions, _NO_KEY, dtype=np.int64)
        self.reached_counts: Ints = np.zeros(questions, dtype=np.int64)

    def meet(self, sums: NDArray[np.floating], places: list[Ints], members: Ints) -> None:
        """Compare with further points. sums: points × questions. places: by component. members: by point."""
        most, keys = sums.max(axis=0).astype(np.int64), self._classes.keys(places)
        better = most > self.values
        self.values[better], self.keys[better], self.reached_counts[better] = most[better], _NO_KEY, 0
        as_good = np.flatnonzero(most == self.values)
        rows, columns = np.nonzero(sums[:, as_good] == most[as_good])
        np.minimum.at(self.keys, as_good[columns], keys[rows])
        np.add.at(self.reached_counts, as_good[columns], members[rows])
        for tied, place in zip(self._tied_flags, places, strict=True):
            tied[:] &= not better[0]
            tied[place[sums[:, 0] == self.values[0]]] = True

    def tied_weights(self) -> list[list[float]]:
        """By list of the grid, in its order: the weights of the tied classes, of all their members."""
        parts = zip(self._classes.components, self._tied_flags, strict=True)
        return [axis for component, tied in parts for axis in component.member_weights(tied)]
