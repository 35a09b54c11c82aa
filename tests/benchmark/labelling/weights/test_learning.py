"""What is learned from pairs, and how far it is to be trusted."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import orjson
import pytest

from benchmark.labelling.weights import (
    Grid,
    GridError,
    LearnedWeights,
    Options,
    Pair,
    PairsError,
    data_version,
    grid_of,
    learn,
)
from benchmark.labelling.weights.bootstrap import draw_counts
from benchmark.labelling.weights.comparison import Comparison
from benchmark.labelling.weights.folds import nested_folds
from tests.benchmark.labelling.weights import brute
from tests.benchmark.labelling.weights.synthetic_pairs import noisy_pairs

GRID = grid_of(
    {
        "groups": [
            {"name": "soft", "weights": [0.8, 1], "metrics": {"m": [0.1, 0.4, 0.7], "n": [0.1, 0.4, 0.7]}},
            {"name": "wish", "weights": [0.1, 0.8, 1.6], "metrics": {"o": [0.2, 1], "p": [0.2, 1]}},
        ]
    }
)
TRUTH = GRID.weights_of([1, 0.8, 0.7, 0.1, 0.2, 1])
PAIRS = noisy_pairs(GRID, TRUTH, 90, 0.25, np.random.default_rng(5), steps=4)
OPTIONS = Options(folds=3, bootstrap=25, seed=2)


@cache
def learned_weights() -> LearnedWeights:
    return learn(PAIRS, GRID, OPTIONS)


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    """Points × pairs, by the definition: whether a point is right on a pair."""
    pairs = Comparison(sorted(PAIRS, key=lambda pair: pair.id), GRID).pairs
    return np.array([[brute.right(pair, GRID, point) for pair in pairs] for point in brute.points(GRID)])


def place(weights: dict[str, object]) -> int:
    """The number of a point."""
    return next(n for n in range(GRID.points) if GRID.weights_at(n).as_json() == weights)


def test_the_learned_weights_are_the_best_of_all(table: np.ndarray) -> None:
    right = table.sum(axis=1)
    assert learned_weights().agreement.right == right.max() == right[place(learned_weights().weights)]
    assert learned_weights().landscape.points == len(table) == 216
    assert learned_weights().landscape.best_points == (right == right.max()).sum()
    assert learned_weights().landscape.near_points == (right >= right.max() - 0.9).sum()
    assert learned_weights().landscape.worst == right.min() / 90
    assert learned_weights().landscape.median == np.sort(right)[107] / 90
    assert learned_weights().landscape.distinct < 216


def test_each_fold_takes_the_best_mean_over_its_inner_folds(table: np.ndarray) -> None:
    pairs = Comparison(sorted(PAIRS, key=lambda pair: pair.id), GRID).pairs
    nested = nested_folds(pairs, 3, 2)
    assert learned_weights().cross_validation
    for number, fold in enumerate(learned_weights().cross_validation.folds):
        inner = [table[:, nested.inner[number] == one].mean(axis=1) for one in range(3)]
        means = np.mean(inner, axis=0)
        assert fold.inner_accuracy == pytest.approx(means.max(), abs=1e-12)
        assert means[place(fold.weights)] == pytest.approx(means.max(), abs=1e-12)
        taken = table[place(fold.weights)]
        assert fold.train.accuracy == taken[nested.outer != number].mean()
        assert fold.validation.accuracy == taken[nested.outer == number].mean()
    accuracies = [fold.validation.accuracy for fold in learned_weights().cross_validation.folds]
    assert learned_weights().cross_validation.validation_accuracy.mean == pytest.approx(np.mean(accuracies))
    assert learned_weights().cross_validation.validation_accuracy.std == pytest.approx(
        np.std(accuracies, ddof=1)
    )


def test_bootstrap_samples_choose_the_best_of_all_points_each(table: np.ndarray) -> None:
    counts = draw_counts(90, 25, 2)
    assert (counts.sum(axis=0) == 90).all()
    best = (table.astype(int) @ counts).max(axis=0) / 90
    found = learned_weights().bootstrap
    assert found
    assert found.anew.samples == 25
    assert found.anew.mean == pytest.approx(best.mean())
    assert (found.anew.low, found.anew.high) == pytest.approx(tuple(np.percentile(best, [2.5, 97.5])))
    fixed = table[place(learned_weights().weights)].astype(int) @ counts / 90
    assert found.fixed.mean == pytest.approx(fixed.mean())
    assert found.anew.mean >= found.fixed.mean
    assert found.out_of_bag and found.out_of_bag.mean < found.anew.mean
    assert found.optimism == pytest.approx(found.anew.mean - found.anew_all.mean)
    assert found.corrected == pytest.approx(learned_weights().agreement.accuracy - found.optimism)
    assert all(sum(one.shares) == pytest.approx(1) for one in found.chosen)
    assert [(one.group, one.metric) for one in found.chosen][:3] == [
        ("soft", None),
        ("wish", None),
        ("soft", "m"),
    ]


def test_the_order_of_the_pairs_and_metrics_that_are_not_in_the_grid_change_nothing() -> None:
    more = [replace(pair, a={**pair.a, "x": 1.0}) for pair in reversed(PAIRS)]
    again = learn(more, GRID, OPTIONS)
    assert again.ignored_metrics == ["x"]
    assert replace(again, ignored_metrics=[]) == learned_weights()


def test_the_data_version_is_that_of_pairs_and_grid() -> None:
    assert learned_weights().data_version == data_version(PAIRS, GRID) == data_version(PAIRS[::-1], GRID)
    other = [replace(PAIRS[0], label="tie"), *PAIRS[1:]]
    versions = [
        data_version(other, GRID),
        data_version(PAIRS[1:], GRID),
        data_version(PAIRS, grid_of({"m": [1]})),
    ]
    without = data_version(PAIRS, GRID, drop_neither=True)
    assert len({learned_weights().data_version, without, *versions}) == 5
    assert learn(PAIRS, GRID, replace(BRIEF, drop_neither=True)).data_version == without


BRIEF = Options(folds=0, bootstrap=0, relearn=False)


def test_a_result_is_json_and_says_why_a_part_is_missing() -> None:
    assert orjson.loads(orjson.dumps(learned_weights().as_json()))["weights"] == learned_weights().weights
    brief = learn(PAIRS, GRID, BRIEF)
    assert (brief.cross_validation, brief.bootstrap) == (None, None)
    assert brief.undefined == {
        "cross_validation": "it was not asked for",
        "bootstrap": "it was not asked for",
    }
    few = learn(PAIRS[:6], GRID, Options(folds=5, bootstrap=10))
    assert few.undefined == {"cross_validation": "6 pairs are too few for 5 folds"}
    assert few.bootstrap


def test_pairs_labelled_neither_can_be_left_out() -> None:
    left = sum(pair.label == "neither" for pair in PAIRS)
    found = learn(PAIRS, GRID, replace(BRIEF, drop_neither=True))
    assert left > 0
    assert (found.pairs, found.dropped, set(found.labels)) == (90 - left, left, {"A", "B"})
    with pytest.raises(PairsError, match="there is no pair to learn from"):
        learn([pair for pair in PAIRS if pair.label == "neither"], GRID, replace(BRIEF, drop_neither=True))


def test_of_equally_good_points_the_one_nearest_to_the_defaults_is_taken() -> None:
    """Any weights are right on this pair, so that the defaults alone decide."""
    pair = Pair("p", "", "A", {"m": 1.0, "n": 1.0}, {"m": 0.0, "n": 0.0})
    group = {"name": "g", "weights": [1, 2, 3], "metrics": {"m": [1, 2, 3, 4], "n": [5, 6, 9]}}
    middle = learn([pair], grid_of({"groups": [group]}), BRIEF)
    assert middle.landscape.best_points == 36
    assert middle.weights["groups"][0] == {"name": "g", "weight": 2, "metrics": {"m": 2, "n": 6}}
    defaults = {"groups": [{"name": "g", "weight": 0.5, "metrics": {"m": 3.6, "n": 5.4}}]}
    near = learn([pair], grid_of({"groups": [group], "defaults": defaults}), BRIEF)
    assert near.weights["groups"][0] == {"name": "g", "weight": 1, "metrics": {"m": 4, "n": 5}}
    assert near.defaults and near.defaults.accuracy == 1.0


@pytest.mark.parametrize("weights", [[1, 2], [0.5]])
def test_a_metric_that_no_pair_has_is_refused(weights: list[float]) -> None:
    with pytest.raises(
        GridError, match="x: no pair has a value of this metric; correct its name, or leave it out"
    ):
        learn(PAIRS, grid_of({"m": [1, 2], "x": weights}), BRIEF)


def test_a_grid_that_is_too_large_is_refused_with_its_size() -> None:
    with pytest.raises(GridError, match="the grid has 216 points, 200 are admitted; shorten lists"):
        learn(PAIRS, GRID, replace(BRIEF, most_points=200))
    huge = grid_of({f"m{number}": list(range(1, 101)) for number in range(9)})
    with pytest.raises(GridError, match=r"1,000,000,000,000,000,000 points, 1,000,000,000 are admitted"):
        learn(PAIRS, huge, replace(BRIEF, most_points=10**20))
    wide = grid_of({f"m{number}": list(range(1, 101)) for number in range(4)})
    with pytest.raises(
        GridError, match="100,000,000 combinations, more than 25,000,000 do not fit into the memory"
    ):
        learn(PAIRS, wide, replace(BRIEF, most_points=10**9))


@pytest.mark.parametrize(
    "options", [Options(folds=1), Options(folds=101), Options(bootstrap=-1), Options(bootstrap=10**8)]
)
def test_options_out_of_range_are_refused(options: Options) -> None:
    with pytest.raises(ValueError, match=r"^(folds|bootstrap): expected"):
        learn(PAIRS, GRID, options)


def test_progress_runs_to_the_end_over_all_searches_and_can_end_it() -> None:
    told: list[tuple[int, int, str]] = []
    learn(PAIRS, GRID, OPTIONS, lambda *now: told.append(now))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[-1][0] == told[-1][1]
    assert {label for _, _, label in told} == {"all pairs", *(f"without {metric}" for metric in "mnop")}

    def stop(done: int, total: int, label: str) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        learn(PAIRS, GRID, OPTIONS, stop)


def test_a_weight_that_is_tied_says_so_and_one_that_pairs_settle_does_not() -> None:
    """n never differs, o and p are the same, and only without q are the pairs told apart."""
    grid = grid_of({"m": [1], "n": [0, 1], "o": [0, 1], "p": [0, 1], "q": [0, 1]})
    side = {"m": 0.4, "n": 0.5, "o": 0.0, "p": 0.0, "q": 1.0}
    pair = Pair("1", "", "A", side | {"o": 1.0, "p": 1.0, "q": 0.0}, side)
    found = learn([pair, replace(pair, id="2")], grid, Options(folds=0, bootstrap=0, relearn=False))
    told = {one.metric: (one.weight, one.alone, one.together) for one in found.tied}
    right = {point: all(brute.right(one, grid, point) for one in [pair]) for point in brute.points(grid)}
    best = [point for point, good in right.items() if good]
    chosen = tuple(grid.values_of(grid.weights_at(best_index(grid, found))))
    for place, (_group, metric) in enumerate(grid.names):
        others = [w for w in grid.axes[place] if w != chosen[place] and any(p[place] == w for p in best)]
        alone = [w for w in others if (*chosen[:place], w, *chosen[place + 1 :]) in best]
        wanted = (chosen[place], alone, [w for w in others if w not in alone])
        assert told.get(metric or "") == (wanted if others else None), metric
    assert "n" in told and "m" not in told


def best_index(grid: Grid, found: LearnedWeights) -> int:
    """The number of the point that was learned."""
    return next(n for n in range(grid.points) if grid.weights_at(n).as_json() == found.weights)
