"""Folds: balanced by stratum and label, nested, and the same from the same seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.labelling.weights.folds import (
    Cell,
    cells_of,
    has_enough_pairs,
    nested_folds,
    small_cells,
    stratify,
)
from benchmark.labelling.weights.pairs import LABELS, Label, Pair


def pairs(*cells: Cell) -> list[Pair]:
    labels: dict[str, Label] = {label: label for label in LABELS}
    return [
        Pair(str(number), stratum, labels[label], {}, {}) for number, (stratum, label) in enumerate(cells)
    ]


CELLS = st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(LABELS)), min_size=4, max_size=60)


@given(CELLS, st.integers(2, 7), st.integers(0, 9))
def test_folds_differ_by_one_pair_of_a_cell_and_by_one_in_all(
    cells: list[tuple[str, str]], folds: int, seed: int
) -> None:
    fold = stratify(cells, folds, np.random.default_rng(seed))
    for wanted in [None, *set(cells)]:
        sizes = Counter(dict.fromkeys(range(folds), 0))
        sizes.update(int(f) for f, cell in zip(fold, cells, strict=True) if wanted in (None, cell))
        assert max(sizes.values()) - min(sizes.values()) <= 1


@given(CELLS, st.integers(2, 5))
def test_inner_folds_divide_the_training_pairs_alone(cells: list[Cell], folds: int) -> None:
    given_ = pairs(*cells)
    if not has_enough_pairs(len(given_), folds):
        return
    nested = nested_folds(given_, folds, 0)
    questions = nested.questions()
    for fold in range(folds):
        assert ((nested.inner[fold] == -1) == (nested.outer == fold)).all()
        means = [np.mean(nested.inner[fold] == inner) for inner in range(folds)]
        assert min(means) > 0
        assert questions[:, fold].sum() == nested.scale(fold)
        assert (questions[nested.outer == fold, fold] == 0).all()


def test_a_question_is_the_mean_accuracy_of_inner_folds_of_different_sizes() -> None:
    given_ = pairs(*[("s", "A")] * 13)
    nested = nested_folds(given_, 3, 1)
    right = np.arange(13) % 3 == 0
    for fold in range(3):
        means = [right[nested.inner[fold] == inner].mean() for inner in range(3)]
        asked = right @ nested.questions()[:, fold]
        assert asked / nested.scale(fold) == pytest.approx(np.mean(means), abs=1e-12)


def test_the_seed_alone_decides() -> None:
    given_ = pairs(*[("s", "A"), ("s", "B"), ("t", "tie")] * 10)
    first, same, other = (nested_folds(given_, 5, seed).outer for seed in (3, 3, 4))
    assert (first == same).all()
    assert (first != other).any()


def test_cells_with_fewer_pairs_than_folds_are_named() -> None:
    given_ = pairs(*[("s", "A")] * 5, ("s", "neither"), ("", "B"))
    assert small_cells(given_, 5) == ["B", "s / neither"]
    assert cells_of(given_)[-1] == ("", "B")
