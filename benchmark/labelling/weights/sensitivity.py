"""How much the agreement of learned weights depends on each choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from benchmark.labelling.weights.comparison import Comparison, Floats
from benchmark.labelling.weights.grid import Weights
from benchmark.labelling.weights.results import (
    LeftOut,
    ScaledWeights,
    Sensitivity,
    Simplex,
    Step,
    Temperature,
)
from benchmark.labelling.weights.scoring import Scores, right_of

FACTORS = (0.5, 1.0, 1.5, 2.0)
"""Of all group weights."""
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0, None)
SAMPLES = 1_000
_QUANTILES = (0.0, 2.5, 25.0, 50.0, 75.0, 97.5, 100.0)

Relearn = Callable[[str], tuple[float, Weights] | None]
"""The best accuracy and weights of the grid without a metric; None where it makes no difference to any pair."""


class Outcome(NamedTuple):
    """Weights on all pairs. accuracy: over pairs. changed: pairs whose sign is not that of the learned weights."""

    accuracy: float
    changed: int


class Probe:
    """Looks what other weights than the learned ones make of the same pairs.

    values: of the learned weights, one an axis. right: the pairs on which these are right.
    """

    def __init__(self, comparison: Comparison, learned: Weights) -> None:
        self.comparison, self.grid = comparison, comparison.grid
        self.values: Floats = np.array(self.grid.values_of(learned))
        scores = Scores(comparison, [learned])
        self.right, self._signs = scores.right[0], scores.signs[0]

    def outcomes(self, choices: Sequence[Floats]) -> list[Outcome]:
        """Of other weights, one an axis each."""
        if not choices:
            return []
        scores = Scores(self.comparison, self.weights_of(choices))
        changed = (scores.signs != self._signs).sum(axis=1)
        return list(map(Outcome, scores.right.mean(axis=1).tolist(), changed.tolist()))

    def weights_of(self, choices: Sequence[Floats]) -> list[Weights]:
        """Of values, one an axis each."""
        return [self.grid.weights_of(values.tolist()) for values in choices]

    def with_value(self, axis: int, value: float) -> Floats:
        """The learned weights with another one."""
        values = self.values.copy()
        values[axis] = value
        return values


def sensitivity(probe: Probe, seed: int, relearn: Relearn | None) -> Sensitivity:
    """All of it. relearn: None leaves out what takes a search."""
    return Sensitivity(
        scaled=[] if probe.grid.flat else _scaled_groups(probe),
        steps=_steps(probe),
        left_out=_left_out(probe, relearn),
        temperatures=_temperatures(probe),
        simplex=_simplex(probe, np.random.default_rng([seed, SAMPLES])),
    )


def _scaled_groups(probe: Probe) -> list[ScaledWeights]:
    groups = len(probe.grid.groups)
    choices = [np.concatenate([factor * probe.values[:groups], probe.values[groups:]]) for factor in FACTORS]
    return [ScaledWeights(f, *outcome) for f, outcome in zip(FACTORS, probe.outcomes(choices), strict=True)]


def _steps(probe: Probe) -> list[Step]:
    moves = [
        (axis, before, neighbour)
        for axis, (listed, before) in enumerate(zip(probe.grid.axes, probe.values.tolist(), strict=True))
        for neighbour in _neighbours(sorted(listed), before)
    ]
    outcomes = probe.outcomes([probe.with_value(axis, after) for axis, _, after in moves])
    return [
        Step(*probe.grid.names[axis], before, after, *outcome)
        for (axis, before, after), outcome in zip(moves, outcomes, strict=True)
    ]


def _neighbours(listed: list[float], value: float) -> list[float]:
    place = listed.index(value)
    return listed[max(0, place - 1) : place] + listed[place + 1 : place + 2]


def _left_out(probe: Probe, relearn: Relearn | None) -> list[LeftOut]:
    metrics, first = probe.grid.metrics, len(probe.grid.groups)
    if len(metrics) == 1:
        return [LeftOut(metrics[0], None, None, None, None)]
    outcomes = probe.outcomes([probe.with_value(first + number, 0.0) for number in range(len(metrics))])
    anew = [relearn(metric) if relearn else None for metric in metrics]
    return [
        LeftOut(metric, *outcome, *((again[0], again[1].as_json()) if again else (None, None)))
        for metric, outcome, again in zip(metrics, outcomes, anew, strict=True)
    ]


def _temperatures(probe: Probe) -> list[Temperature]:
    of_groups, *of_metrics = (probe.values[part] for part in probe.grid.parts)
    choices = [
        np.concatenate([of_groups, *(_temper_weights(weights, temperature) for weights in of_metrics)])
        for temperature in TEMPERATURES
    ]
    return [
        Temperature(t, *outcome) for t, outcome in zip(TEMPERATURES, probe.outcomes(choices), strict=True)
    ]


def _temper_weights(weights: Floats, temperature: float | None) -> Floats:
    """Weights on the simplex; those that are 0 stay 0."""
    power = 1 / temperature if temperature else 0.0
    raised = np.where(weights > 0, (weights / (weights.max() or 1.0)) ** power, 0.0)
    return np.asarray(raised / (raised.sum() or 1.0), dtype=float)


def _simplex(probe: Probe, rng: np.random.Generator) -> Simplex:
    of_groups = np.tile(probe.values[: len(probe.grid.groups)], (SAMPLES, 1))
    drawn = [rng.dirichlet(np.ones(len(group.metrics)), SAMPLES) for group in probe.grid.groups]
    choices = probe.weights_of(list(np.hstack([of_groups, *drawn])))
    accuracies = right_of(probe.comparison, choices).mean(axis=1)
    quantiles = np.percentile(accuracies, _QUANTILES).tolist()
    return Simplex(
        samples=SAMPLES,
        mean=float(accuracies.mean()),
        std=float(accuracies.std(ddof=1)),
        quantiles={f"{percent:g}": value for percent, value in zip(_QUANTILES, quantiles, strict=True)},
        at_least=float((accuracies >= probe.right.mean()).mean()),
    )
