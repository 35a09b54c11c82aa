"""How much the agreement of learned weights depends on each choice (TripScore, appendix C.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmark.labelling.weights.comparison import Comparison, Flags
from benchmark.labelling.weights.components import Ints
from benchmark.labelling.weights.grid import Grid, WeightedGroup, Weights
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
"""Of all group weights: TripScore's (0.5, 0.05), (1, 0.1), (1.5, 0.15), (2, 0.2)."""
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0, None)
SAMPLES = 1_000
_QUANTILES = (0.0, 2.5, 25.0, 50.0, 75.0, 97.5, 100.0)

Relearn = Callable[[str], tuple[float, Weights] | None]
"""The best accuracy and weights of the grid without a metric; None where it makes no difference to any pair."""


@dataclass(frozen=True)
class Outcome:
    """Weights on all pairs. accuracy: over pairs. changed: pairs whose sign is not that of the learned weights."""

    accuracy: float
    changed: int


class Probe:
    """Looks what other weights than the learned ones make of the same pairs."""

    def __init__(self, comparison: Comparison, learned: Weights) -> None:
        self.comparison, self.learned_weights = comparison, learned
        self._scores = Scores(comparison, [learned])
        self._signs: Ints = self._scores.signs[0]

    @property
    def right(self) -> Flags:
        """The pairs on which the learned weights are right."""
        right: Flags = self._scores.right[0]
        return right

    def outcomes(self, choices: Sequence[Weights]) -> list[Outcome]:
        """Of other weights over the same metrics."""
        if not choices:
            return []
        scores = Scores(self.comparison, choices)
        changed = (scores.signs != self._signs).sum(axis=1)
        return [
            Outcome(float(accuracy), int(count))
            for accuracy, count in zip(scores.right.mean(axis=1), changed, strict=True)
        ]


def sensitivity(probe: Probe, grid: Grid, seed: int, relearn: Relearn | None) -> Sensitivity:
    """All of it. relearn: None leaves out what takes a search."""
    return Sensitivity(
        scaled=[] if grid.flat else _scaled_groups(probe),
        steps=_steps(probe, grid),
        left_out=[_left_out(probe, grid, metric, relearn) for metric in grid.metrics],
        temperatures=_temperatures(probe),
        simplex=_simplex(probe, np.random.default_rng([seed, SAMPLES])),
    )


def _scaled_groups(probe: Probe) -> list[ScaledWeights]:
    groups = probe.learned_weights.groups
    choices = [
        _with_groups(probe.learned_weights, [(factor * group.weight, group.metrics) for group in groups])
        for factor in FACTORS
    ]
    outcomes = zip(FACTORS, probe.outcomes(choices), strict=True)
    return [ScaledWeights(factor, outcome.accuracy, outcome.changed) for factor, outcome in outcomes]


def _with_groups(weights: Weights, changed: Sequence[tuple[float, Mapping[str, float]]]) -> Weights:
    """With another weight and other weights of metrics for each group."""
    named = zip(weights.groups, changed, strict=True)
    return replace(
        weights, groups=tuple(WeightedGroup(g.name, weight, dict(ms)) for g, (weight, ms) in named)
    )


def _with_metrics(weights: Weights, changed: Sequence[Mapping[str, float]]) -> Weights:
    """With other weights of metrics for each group."""
    return _with_groups(weights, list(zip(weights.group_weights, changed, strict=True)))


def _steps(probe: Probe, grid: Grid) -> list[Step]:
    values = grid.values_of(probe.learned_weights)
    moves = [
        (axis, values[axis], neighbour)
        for axis, listed in enumerate(grid.axes)
        for neighbour in _neighbours(sorted(listed), values[axis])
    ]
    choices = [grid.weights_of([*values[:axis], after, *values[axis + 1 :]]) for axis, _, after in moves]
    return [
        Step(*grid.names[axis], before, after, outcome.accuracy, outcome.changed)
        for (axis, before, after), outcome in zip(moves, probe.outcomes(choices), strict=True)
    ]


def _neighbours(listed: list[float], value: float) -> list[float]:
    place = listed.index(value)
    return listed[max(0, place - 1) : place] + listed[place + 1 : place + 2]


def _left_out(probe: Probe, grid: Grid, metric: str, relearn: Relearn | None) -> LeftOut:
    rest = grid.without_metrics([metric])
    if rest is None:
        return LeftOut(metric, None, None, None, None)
    without = [
        group.metrics | ({metric: 0.0} if metric in group.metrics else {})
        for group in probe.learned_weights.groups
    ]
    [outcome] = probe.outcomes([_with_metrics(probe.learned_weights, without)])
    relearned_weights = relearn(metric) if relearn else None
    return LeftOut(
        metric,
        outcome.accuracy,
        outcome.changed,
        relearned_weights[0] if relearned_weights else None,
        relearned_weights[1].as_json() if relearned_weights else None,
    )


def _temperatures(probe: Probe) -> list[Temperature]:
    groups = probe.learned_weights.groups
    choices = [
        _with_metrics(
            probe.learned_weights, [_temper_weights(group.metrics, temperature) for group in groups]
        )
        for temperature in TEMPERATURES
    ]
    outcomes = zip(TEMPERATURES, probe.outcomes(choices), strict=True)
    return [Temperature(temperature, outcome.accuracy, outcome.changed) for temperature, outcome in outcomes]


def _temper_weights(metrics: dict[str, float], temperature: float | None) -> dict[str, float]:
    """Weights on the simplex; those that are 0 stay 0."""
    power = 1 / temperature if temperature else 0.0
    largest = max(metrics.values()) or 1.0
    raised = {metric: (w / largest) ** power if w else 0.0 for metric, w in metrics.items()}
    total = sum(raised.values()) or 1.0
    return {metric: value / total for metric, value in raised.items()}


def _simplex(probe: Probe, rng: np.random.Generator) -> Simplex:
    drawn = [
        rng.dirichlet(np.ones(len(group.metrics)), SAMPLES).tolist() for group in probe.learned_weights.groups
    ]
    names = [list(group.metrics) for group in probe.learned_weights.groups]
    choices = [
        _with_metrics(
            probe.learned_weights,
            [dict(zip(*columns, strict=True)) for columns in zip(names, of_groups, strict=True)],
        )
        for of_groups in zip(*drawn, strict=True)
    ]
    accuracies = right_of(probe.comparison, choices).mean(axis=1)
    quantiles = np.percentile(accuracies, _QUANTILES)
    return Simplex(
        samples=SAMPLES,
        mean=float(accuracies.mean()),
        std=float(accuracies.std(ddof=1)),
        quantiles={
            f"{percent:g}": float(value) for percent, value in zip(_QUANTILES, quantiles, strict=True)
        },
        at_least=float((accuracies >= probe.right.mean()).mean()),
    )
