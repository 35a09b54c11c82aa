"""How much agreement depends on each choice of weights."""

from __future__ import annotations

import numpy as np
import pytest

from benchmark.labelling.weights import LABELS, Options, Pair, grid_of, learn
from benchmark.labelling.weights.sensitivity import FACTORS
from tests.benchmark.labelling.weights.synthetic_pairs import accuracy_of
from tests.benchmark.labelling.weights.test_learning import GRID, OPTIONS, PAIRS, learned_weights


def test_the_result_tells_that_scaling_changed_nothing() -> None:
    scaled = learned_weights().sensitivity.scaled
    assert [one.factor for one in scaled] == list(FACTORS)
    assert {(one.accuracy, one.changed) for one in scaled} == {(learned_weights().agreement.accuracy, 0)}


def test_each_weight_is_moved_to_its_neighbours_in_the_grid() -> None:
    groups = learned_weights().weights["groups"]
    at = {(g["name"], None): g["weight"] for g in groups} | {
        (g["name"], metric): weight for g in groups for metric, weight in g["metrics"].items()
    }
    lists = dict(zip(GRID.names, GRID.axes, strict=True))
    steps = learned_weights().sensitivity.steps
    wanted = sum((at[name] != min(axis)) + (at[name] != max(axis)) for name, axis in lists.items())
    assert len(steps) == wanted
    for step in steps:
        name = (step.group, step.metric)
        assert step.before == at[name]
        assert abs(lists[name].index(step.after) - lists[name].index(step.before)) == 1
        values = [step.after if other == name else at[other] for other in GRID.names]
        assert step.accuracy == accuracy_of(GRID, GRID.weights_of(values), PAIRS)
        assert step.accuracy <= learned_weights().agreement.accuracy


def test_a_metric_left_out_is_relearned_as_from_the_smaller_grid() -> None:
    assert [one.metric for one in learned_weights().sensitivity.left_out] == ["m", "n", "o", "p"]
    for one in learned_weights().sensitivity.left_out:
        rest = GRID.without_metrics([one.metric])
        assert rest
        alone = learn(PAIRS, rest, Options(folds=0, bootstrap=0))
        assert (one.relearned, one.relearned_weights) == (alone.agreement.accuracy, alone.weights)
        assert one.accuracy is not None and one.relearned is not None and one.accuracy <= one.relearned


def test_the_only_metric_cannot_be_left_out() -> None:
    found = learn(PAIRS, grid_of({"m": [1, 2]}), OPTIONS)
    assert [(one.metric, one.accuracy, one.relearned) for one in found.sensitivity.left_out] == [
        ("m", None, None)
    ]
    assert found.sensitivity.scaled == []


def test_temperature_one_is_the_simplex_alone_and_no_temperature_makes_weights_equal() -> None:
    by_temperature = {one.temperature: one for one in learned_weights().sensitivity.temperatures}
    assert (by_temperature[1.0].accuracy, by_temperature[1.0].changed) == (
        learned_weights().agreement.accuracy,
        0,
    )
    groups = [group["weight"] for group in learned_weights().weights["groups"]]
    equal = accuracy_of(GRID, GRID.weights_of([*groups, 1, 1, 1, 1]), PAIRS)
    assert by_temperature[None].accuracy == equal
    half = [w**2 for group in learned_weights().weights["groups"] for w in group["metrics"].values()]
    assert by_temperature[0.5].accuracy == accuracy_of(GRID, GRID.weights_of([*groups, *half]), PAIRS)


def test_weights_drawn_from_the_simplex_spread_around_their_mean() -> None:
    simplex = learned_weights().sensitivity.simplex
    quantiles = list(simplex.quantiles.values())
    assert quantiles == sorted(quantiles)
    assert simplex.quantiles["0"] < simplex.mean < simplex.quantiles["100"]
    assert 0 < simplex.std < 0.2
    assert learn(PAIRS, GRID, OPTIONS).sensitivity.simplex == simplex


def test_a_metric_alone_is_not_drawn_and_every_sample_agrees_as_well() -> None:
    pairs = [Pair(str(n), "", LABELS[n % 2], {"m": n / 7}, {"m": 0.4}) for n in range(8)]
    simplex = learn(pairs, grid_of({"m": [1, 2]}), Options(folds=0, bootstrap=0)).sensitivity.simplex
    assert simplex.std == pytest.approx(0)
    assert simplex.at_least == 1.0
    assert np.unique(list(simplex.quantiles.values())).size == 1
