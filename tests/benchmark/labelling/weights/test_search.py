"""The search is exact: it finds what loops over all points by the definition find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.labelling.weights import LABELS, Grid, GridError, Pair, grid_of, search
from benchmark.labelling.weights.comparison import Comparison
from benchmark.labelling.weights.search import best_points
from tests.benchmark.labelling.weights import brute
from tests.properties import examples

TIE = 1e-12
VALUES = st.sampled_from(
    [
        0.0,
        0.1,
        0.2,
        0.25,
        0.3,
        1 / 3,
        0.5,
        0.6,
        2 / 3,
        0.7,
        1.0,
        TIE,
        2 * TIE,
        0.9 * TIE,
        1.1 * TIE,
        0.3 + TIE,
    ]
)
"""Many sums of these are equal, or differ by about what counts as equal."""
LARGE = st.sampled_from([0.0, 310.0, 4_999.5, 5_000.0, 5_000.5, 123_456.7, 5e8])
OFF_GRID = st.sampled_from([0.0, 0.15, 0.5, 3.0, 70.0])
WEIGHTS = st.lists(
    st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 1.0, 1.2, 2.0]), min_size=1, max_size=3, unique=True
)


PLAIN = Pair("p", "", "A", {"m": 1.0, "n": 0.0}, {"m": 0.0, "n": 1.0})
ONE = np.ones((1, 1), dtype=np.int64)
Case = tuple[Grid, list[Pair], list[list[int]]]


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Flat, or of one to three groups, with up to some hundred points."""
    names = iter("mnopqr")
    if draw(st.booleans()):
        return _weighing({next(names): draw(WEIGHTS) for _ in range(draw(st.integers(1, 4)))})
    groups: list[dict[str, Any]] = [
        {
            "name": f"g{number}",
            "weights": draw(WEIGHTS),
            "metrics": {next(names): draw(WEIGHTS) for _ in range(draw(st.integers(1, 2)))},
        }
        for number in range(draw(st.integers(1, 3)))
    ]
    raw: dict[str, Any] = {"groups": groups}
    if draw(st.booleans()):
        raw["defaults"] = {
            "groups": [
                {
                    "name": group["name"],
                    "weight": draw(OFF_GRID),
                    "metrics": {metric: draw(OFF_GRID) for metric in group["metrics"]},
                }
                for group in groups
            ]
        }
    grid = _weighing(raw)
    return grid if grid.points <= 300 else grid_of({"m": [1, 2]})


def _weighing(raw: dict[str, Any]) -> Grid:
    """A grid of these lists; another one in place of one that is refused since every weight is 0."""
    try:
        return grid_of(raw)
    except GridError:
        return grid_of({"m": [1, 2]})


def sides(grid: Grid, values: st.SearchStrategy[float]) -> st.SearchStrategy[dict[str, float]]:
    """Values of some metrics."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(grid.metrics, values))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A grid, pairs with ties and near ties, and what pairs count in some questions."""
    grid = draw(grids())
    values = draw(st.sampled_from([VALUES, LARGE | VALUES]))
    labelled = draw(
        st.lists(
            st.tuples(st.sampled_from(LABELS), sides(grid, values), sides(grid, values)),
            min_size=1,
            max_size=8,
        )
    )
    pairs = [Pair(str(number), "", label, a, b) for number, (label, a, b) in enumerate(labelled)]
    weights = st.lists(st.integers(0, 5), min_size=len(pairs), max_size=len(pairs))
    return grid, pairs, [[1] * len(pairs), *draw(st.lists(weights, max_size=3))]


def best_by_search(
    pairs: Sequence[Pair], grid: Grid, counts: Sequence[Sequence[int]]
) -> list[brute.BestPoint]:
    """The same from the search."""
    comparison = Comparison(pairs, grid)
    places = [pairs.index(pair) for pair in comparison.pairs]
    best = best_points(comparison, grid, np.array(counts).T[places])
    return [
        brute.BestPoint(int(value), int(point), int(reached))
        for value, point, reached in zip(best.values, best.points, best.reached_counts, strict=True)
    ]


EXACTLY = settings(max_examples=examples(200), suppress_health_check=list(HealthCheck), deadline=None)


@EXACTLY
@given(cases())
def test_it_finds_what_the_definition_says(case: Case) -> None:
    grid, pairs, counts = case
    assert best_by_search(pairs, grid, counts) == brute.search_every_point(pairs, grid, counts)


@EXACTLY
@given(cases())
def test_it_finds_the_same_in_small_pieces_and_without_tables(case: Case) -> None:
    grid, pairs, counts = case
    with pytest.MonkeyPatch.context() as patch:
        for name, small in (("_CHUNK", 7 * len(pairs)), ("_BLOCK", 3 * len(pairs)), ("_TABLE", 0)):
            patch.setattr(search, name, small)
        assert best_by_search(pairs, grid, counts) == brute.search_every_point(pairs, grid, counts)


def test_a_tie_that_floats_round_away_is_worked_out_exactly() -> None:
    metrics, one, other = {"m": [0.1], "n": [0.3]}, 123456789.9, 41152263.3
    assert abs(0.1 * one - 0.3 * other) / 0.4 > TIE
    pairs = [
        Pair("p", "", "tie", {"m": one, "n": 0.0}, {"m": 0.0, "n": other}),
        Pair("q", "", "A", {"m": one, "n": 0.0}, {"m": 0.0, "n": other}),
    ]
    assert best_by_search(pairs, grid_of(metrics), [[1, 0], [0, 1]]) == [
        brute.BestPoint(1, 0, 1),
        brute.BestPoint(0, 0, 1),
    ]


def test_group_weights_that_differ_by_a_factor_count_apart_where_a_difference_is_about_a_tie() -> None:
    grid = grid_of({"groups": [{"name": "g", "weights": [1, 2, 4], "metrics": {"m": [1]}}]})
    pair = Pair("p", "", "tie", {"m": 0.3 * TIE}, {"m": 0.0})
    assert best_by_search([pair], grid, [[1]]) == [brute.BestPoint(1, 1, 2)]
    assert brute.search_every_point([pair], grid, [[1]]) == [brute.BestPoint(1, 1, 2)]


def test_multiples_of_weights_are_searched_once_and_counted_as_often_as_they_are_there() -> None:
    grid = grid_of({"m": [1, 2, 4, 3], "n": [1, 2, 4]})
    best = best_points(Comparison([PLAIN], grid), grid, ONE)
    assert (best.searched, best.values.tolist(), best.right.tolist()) == (8, [1], [7, 5])
    assert best.reached_counts.tolist() == [5]


def test_counts_beyond_what_single_floats_hold_are_summed_exactly() -> None:
    grid, tied = grid_of({"m": [1, 2], "n": [1]}), replace(PLAIN, id="q", label="tie")
    best = best_points(Comparison([PLAIN, tied], grid), grid, np.array([[2**24], [2**24 + 1]]))
    assert (best.values.tolist(), best.points.tolist()) == ([2**24 + 1], [0])


def test_progress_counts_the_points_and_what_it_raises_ends_the_search() -> None:
    grid = grid_of({"m": [1, 2, 3, 4, 5], "n": [1, 7]})
    comparison, told = Comparison([PLAIN], grid), list[int]()
    best = best_points(comparison, grid, ONE, told.append)
    assert sum(told) == best.searched

    def stop(points: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        best_points(comparison, grid, ONE, stop)


@EXACTLY
@given(cases())
def test_the_weights_that_reach_the_best_are_those_of_the_definition(case: Case) -> None:
    grid, pairs, counts = case
    every = brute.points(grid)
    right = [sum(brute.right(pair, grid, point) for pair in pairs) for point in every]
    best = [point for point, value in zip(every, right, strict=True) if value == max(right)]
    wanted = [[w for w in axis if w in {point[at] for point in best}] for at, axis in enumerate(grid.axes)]
    comparison = Comparison(pairs, grid)
    places = [pairs.index(pair) for pair in comparison.pairs]
    assert best_points(comparison, grid, np.array(counts).T[places]).tied_weights == wanted
