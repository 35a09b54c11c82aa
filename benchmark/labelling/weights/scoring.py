"""Scores of given weights, on and off a grid: differences, signs and agreement with labels."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

import numpy as np

from benchmark.labelling.weights.comparison import Comparison, Flags, Thresholds, settled
from benchmark.labelling.weights.components import Floats, Ints
from benchmark.labelling.weights.grid import Weights
from benchmark.labelling.weights.results import Agreement

_DIGITS = 9
_ROWS = 1_000_000


class Scores:
    """What one or more choices of weights make of all pairs: choices × pairs, in the order of the comparison.

    signs: of R(a) − R(b), 0 within 1e-12, exactly. right: whether they are those of the labels.
    """

    def __init__(self, comparison: Comparison, choices: Sequence[Weights]) -> None:
        self._comparison, self._choices = comparison, choices
        self.differences = self._differences() * comparison.directions
        self.signs = self._signs()
        self.right: Flags = self.signs == comparison.signs

    def _differences(self) -> Floats:
        """Turned as the comparison's sides are."""
        terms = []
        for number, sides in enumerate(self._comparison.sides):
            of_group = np.array([[choice.groups[number].weight] for choice in self._choices])
            inner = np.array([choice.metric_weights(number) for choice in self._choices])
            terms.append(of_group * sides.differences(inner))
        return reduce(np.add, terms)

    def _signs(self) -> Ints:
        most = np.max([choice.group_weights for choice in self._choices], axis=0)
        thresholds = Thresholds.of(self._comparison, most.tolist(), Fraction(1))
        size = np.abs(self.differences)
        equal = size <= thresholds.equal
        doubtful = ~equal & (size <= thresholds.unequal)
        signs = np.where(equal, 0, np.sign(self.differences)).astype(np.int64)
        for row, pair in zip(*(places.tolist() for places in np.nonzero(doubtful)), strict=True):
            signs[row, pair] = self._exact_sign(self._choices[row], pair)
        return signs

    def _exact_sign(self, weights: Weights, pair: int) -> int:
        inner = [weights.metric_weights(number) for number in range(len(weights.groups))]
        difference = self._comparison.exact_difference(pair, weights.group_weights, inner)
        if settled(difference, False, Fraction(1)):
            return 0
        return int(self._comparison.directions[pair]) * (1 if difference > 0 else -1)


def right_of(comparison: Comparison, choices: Sequence[Weights]) -> Flags:
    """Choices × pairs: whether weights order a pair as labelled, also for many choices."""
    at_once = max(1, _ROWS // comparison.count)
    parts = [choices[start : start + at_once] for start in range(0, len(choices), at_once)]
    return np.concatenate([Scores(comparison, part).right for part in parts])


def agreement(scores: Scores, labels: Ints, pairs: Ints | None = None) -> Agreement:
    """Of the first choice of weights with labels as signs, on all pairs or on those with these numbers."""
    which = np.arange(len(labels)) if pairs is None else pairs
    signs, right = scores.signs[0][which], int(scores.right[0][which].sum())
    untied = int((signs != 0).sum())
    tau, why = tau_b(scores.differences[0][which], labels[which])
    return Agreement(
        n=len(which),
        right=right,
        accuracy=right / len(which),
        score_ties=len(which) - untied,
        accuracy_ties_out=int((scores.right[0][which] & (signs != 0)).sum()) / untied if untied else None,
        tau_b=tau,
        tau_undefined=why,
    )


def tau_b(differences: Floats, labels: Ints) -> tuple[float | None, str | None]:
    """Kendall's tau-b between differences rounded to 1e-9 and labels; None and why where it is undefined."""
    rounded = np.round(differences, _DIGITS)
    for values, what in ((labels, "label"), (rounded, "score difference")):
        if len(np.unique(values)) < 2:
            return None, f"every pair has the same {what}"
    from scipy.stats import kendalltau

    return float(kendalltau(rounded, labels, variant="b").statistic), None
