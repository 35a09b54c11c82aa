"""Scores of given weights: signs, accuracy with and without ties, Kendall's tau."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from benchmark.labelling.weights import Label, Pair, grid_of
from benchmark.labelling.weights.comparison import Comparison
from benchmark.labelling.weights.scoring import Scores, agreement, right_of, tau_b
from tests.benchmark.labelling.weights import brute
from tests.benchmark.labelling.weights.test_search import EXACTLY, Case, cases
from tests.properties import examples

FLAT = grid_of({"m": [1], "n": [1]})


def pair(number: int, label: Label, a: float | None, b: float | None) -> Pair:
    """With one metric, None for a missing value."""
    return Pair(str(number), "", label, *({} if value is None else {"m": value} for value in (a, b)))


@settings(EXACTLY, max_examples=examples(100))
@given(cases())
def test_signs_are_those_of_the_definition(case: Case) -> None:
    grid, pairs, _ = case
    every = brute.points(grid)
    comparison = Comparison(pairs, grid)
    found = right_of(comparison, [grid.weights_of(list(point)) for point in every])
    wanted = [[brute.right(one, grid, point) for one in comparison.pairs] for point in every]
    assert found.tolist() == wanted


def test_score_ties_count_for_labels_without_a_winner_and_are_left_out_apart() -> None:
    pairs = [
        pair(1, "A", 0.9, 0.1),
        pair(2, "A", 0.1, 0.9),
        pair(3, "B", 0.5, 0.5),
        pair(4, "neither", 0.5, 0.5 + 5e-13),
        pair(5, "tie", 0.4, 0.6),
        pair(6, "neither", None, 0.0),
    ]
    comparison = Comparison(pairs, FLAT)
    scores = Scores(comparison, [FLAT.weights_at(0)])
    found = agreement(scores, comparison.signs)
    assert (found.n, found.right, found.accuracy) == (6, 3, 0.5)
    assert found.score_ties == 3
    assert found.accuracy_ties_out == pytest.approx(1 / 3)
    only = agreement(scores, comparison.signs, np.array([5]))
    assert (only.n, only.accuracy, only.accuracy_ties_out) == (1, 1.0, None)
    assert (only.tau_b, only.tau_undefined) == (None, "every pair has the same label")


def test_tau_b_is_kendalls_with_ties_on_both_sides() -> None:
    """Of six pairs 3 agree, 1 disagrees, 1 ties in x alone, 1 in y alone: (3 − 1) / 5."""
    found, why = tau_b(np.array([0.2, 0.2 + 1e-11, -0.1, 0.5]), np.array([0, 1, -1, 0]))
    assert found == pytest.approx(0.4)
    assert why is None
    assert tau_b(np.array([0.2, 0.2 + 1e-11]), np.array([1, 0])) == (
        None,
        "every pair has the same score difference",
    )
