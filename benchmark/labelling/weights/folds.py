"""Folds that are balanced over strata and labels, and the sums that nested cross-validation asks of a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmark.labelling.weights.comparison import Ints
from benchmark.labelling.weights.pairs import Pair

Cell = tuple[str, str]
"""Stratum and label."""


@dataclass(frozen=True)
class Folds:
    """Outer folds, and inner folds of each one's training pairs.

    outer: the fold of each pair. inner: folds × pairs, the inner fold of each training pair, -1 for validation pairs.
    """

    outer: Ints
    inner: Ints
    count: int

    def questions(self) -> Ints:
        """Pairs × folds: what being right on a pair adds to the mean accuracy of the inner folds, times `scale`.

        Whole numbers, so that equal means are equal.
        """
        return np.column_stack([self._question(fold) for fold in range(self.count)])

    def scale(self, fold: int) -> int:
        """What a mean accuracy of 1 is in `questions`."""
        return self.count * int(np.lcm.reduce(self._sizes(fold)))

    def _sizes(self, fold: int) -> Ints:
        """Of inner folds; what is left out are validation pairs, -1."""
        sizes: Ints = np.bincount(self.inner[fold] + 1, minlength=self.count + 1)[1:]
        return sizes

    def _question(self, fold: int) -> Ints:
        sizes = self._sizes(fold)
        counts = np.append(np.lcm.reduce(sizes) // sizes, 0)  # the last for -1
        of_pairs: Ints = counts[self.inner[fold]]
        return of_pairs


def stratify(cells: Sequence[Cell], folds: int, rng: np.random.Generator) -> Ints:
    """The fold of each element, so that folds differ by one element of a cell at most, and by one in all.

    cells: what is balanced. The elements of a cell are dealt out in a random order.
    """
    members: dict[Cell, list[int]] = {}
    for number, cell in enumerate(cells):
        members.setdefault(cell, []).append(number)
    order = np.concatenate([rng.permutation(members[cell]) for cell in sorted(members)])
    fold = np.empty(len(cells), dtype=np.int64)
    fold[order] = np.arange(len(cells)) % folds
    return fold


def cells_of(pairs: Sequence[Pair]) -> list[Cell]:
    """Stratum and label of each pair."""
    return [(pair.stratum, pair.label) for pair in pairs]


def small_cells(pairs: Sequence[Pair], folds: int) -> list[str]:
    """`stratum / label` with fewer pairs than folds, which some folds therefore lack."""
    counts = Counter(cells_of(pairs))
    return [" / ".join(filter(None, cell)) for cell, count in sorted(counts.items()) if count < folds]


def nested_folds(pairs: Sequence[Pair], folds: int, seed: int) -> Folds:
    """Folds of pairs, which must be enough that no inner fold is empty: `enough(len(pairs), folds)`."""
    rng = np.random.default_rng([seed, folds])
    cells = cells_of(pairs)
    outer = stratify(cells, folds, rng)
    inner = np.full((folds, len(pairs)), -1)
    for fold in range(folds):
        train = np.flatnonzero(outer != fold)
        inner[fold, train] = stratify([cells[number] for number in train], folds, rng)
    return Folds(outer, inner, folds)


def has_enough_pairs(pairs: int, folds: int) -> bool:
    """Whether each inner fold has a pair."""
    return pairs - -(-pairs // folds) >= folds
