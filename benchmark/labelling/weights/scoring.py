"""Scores of given weights, on and off a grid: differences, signs and agreement with labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from benchmark.labelling.weights.comparison import TIE, Comparison, Flags, Floats, Ints
from benchmark.labelling.weights.grid import Weights
from benchmark.labelling.weights.results import Agreement

_DIGITS = 9
_ROWS = 1_000_000


class Scores:
    """What one or more choices of weights make of all pairs: choices × pairs, in the order of the comparison.

    signs: of R(a) − R(b), 0 within 1e-12, exactly. right: whether they are those of the labels.
    """

    def __init__(self, comparison: Comparison, choices: Sequence[Weights]) -> None:
        self._comparison = comparison
        self._values = np.array([comparison.grid.values_of(choice) for choice in choices])
        of_groups, *of_metrics = (self._values[:, part] for part in comparison.grid.parts)
        means = zip(comparison.sides, of_groups.T, of_metrics, strict=True)
        terms = [of_group[:, None] * sides.differences(inner) for sides, of_group, inner in means]
        self.differences: Floats = reduce(np.add, terms) * comparison.directions
        self.signs = self._signs(*comparison.thresholds(of_groups.max(axis=0).tolist()))
        self.right: Flags = self.signs == comparison.signs

    def _signs(self, equal: Floats, unequal: Floats) -> Ints:
        """equal, unequal: thresholds; what lies between is computed exactly."""
        sizes, comparison = np.abs(self.differences), self._comparison
        signs = np.where(sizes <= equal, 0, np.sign(self.differences)).astype(np.int64)
        for row, pair in np.argwhere((sizes > equal) & (sizes <= unequal)).tolist():
            difference = comparison.exact_difference(pair, self._values[row].tolist())
            signs[row, pair] = comparison.directions[pair] * ((difference > TIE) - (difference < -TIE))
        return signs


def right_of(comparison: Comparison, choices: Sequence[Weights]) -> Flags:
    """Choices × pairs: whether weights order a pair as labelled, also for many choices."""
    at_once = max(1, _ROWS // comparison.count)
    parts = [choices[start : start + at_once] for start in range(0, len(choices), at_once)]
    return np.concatenate([Scores(comparison, part).right for part in parts])


def agreement(scores: Scores, labels: Ints, pairs: Ints | None = None) -> Agreement:
    """Of the first choice of weights with labels as signs, on all pairs or on those with these numbers."""
    which = np.arange(len(labels)) if pairs is None else pairs
    untied, is_right = scores.signs[0][which] != 0, scores.right[0][which]
    tau, why = tau_b(scores.differences[0][which], labels[which])
    return Agreement(
        n=len(which),
        right=int(is_right.sum()),
        accuracy=int(is_right.sum()) / len(which),
        score_ties=int((~untied).sum()),
        accuracy_ties_out=int(is_right[untied].sum()) / int(untied.sum()) if untied.any() else None,
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
