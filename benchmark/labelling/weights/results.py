"""What a search of weights found, as plain values that become JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far score differences agree with labels.

    accuracy: right over n. score_ties: pairs whose scores differ by 1e-12 at most.
    accuracy_ties_out: the same without the score ties, None where nothing else is left. tau_b: Kendall's, between the
    difference rounded to 1e-9 and the label's sign; None with a `tau_undefined` where one of the two never varies.
    """

    n: int
    right: int
    accuracy: float
    score_ties: int
    accuracy_ties_out: float | None
    tau_b: float | None
    tau_undefined: str | None


@dataclass(frozen=True, slots=True)
class Fold:
    """An outer fold: weights chosen by the inner folds of its training pairs, and how they agree with both parts.

    inner_accuracy: mean over the inner folds, each counting the same. best_points: of the grid that reach it.
    """

    fold: int
    weights: dict[str, Any]
    inner_accuracy: float
    best_points: int
    train: Agreement
    validation: Agreement


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and sample standard deviation over folds; None where a fold has no value (std: or where there is one)."""

    mean: float | None
    std: float | None


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Stratified by stratum and label. small_cells: `stratum / label` with fewer pairs than there are folds."""

    folds: list[Fold]
    inner_accuracy: Spread
    train_accuracy: Spread
    validation_accuracy: Spread
    train_tau: Spread
    validation_tau: Spread
    small_cells: list[str]


@dataclass(frozen=True, slots=True)
class Interval:
    """Of accuracies over bootstrap samples. low, high: percentiles 2.5 and 97.5. samples: those with a value."""

    mean: float
    std: float
    low: float
    high: float
    samples: int


@dataclass(frozen=True, slots=True)
class OfWeight:
    """What is said of one weight. metric: None for the weight of the group itself. group: None in a flat grid."""

    group: str | None
    metric: str | None


@dataclass(frozen=True, slots=True)
class ChosenWeights(OfWeight):
    """How often samples chose each weight of a list."""

    weights: list[float]
    shares: list[float]


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """fixed: the weights that all pairs chose, on each sample; optimistic, since those pairs chose them.

    anew: weights chosen on each sample, on that sample; more optimistic still. anew_all: the same on all pairs.
    out_of_bag: the same on the pairs that the sample lacks, None without any; not optimistic.
    optimism: mean of anew − anew_all; corrected: accuracy of all pairs − optimism (Efron).
    """

    fixed: Interval
    anew: Interval
    anew_all: Interval
    out_of_bag: Interval | None
    optimism: float
    corrected: float
    chosen: list[ChosenWeights]


@dataclass(frozen=True, slots=True)
class ScaledWeights:
    """All group weights times `factor`. changed: pairs whose sign of the difference is another one then."""

    factor: float
    accuracy: float
    changed: int


@dataclass(frozen=True, slots=True)
class Step(OfWeight):
    """One weight moved to its neighbour in the grid."""

    before: float
    after: float
    accuracy: float
    changed: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One metric taken out. accuracy: with the other weights as they are. relearned: with them chosen anew.

    Both are None for the only metric; relearned also where it was not asked for, or no pair has the metric.
    relearned_weights: in the shape of `Learned.weights`.
    """

    metric: str
    accuracy: float | None
    changed: int | None
    relearned: float | None
    relearned_weights: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Temperature:
    """Each metric's weight to the power of 1/temperature, on its group's simplex; None: all weights equal."""

    temperature: float | None
    accuracy: float
    changed: int


@dataclass(frozen=True, slots=True)
class Simplex:
    """Accuracy over metric weights drawn evenly from each group's simplex, group weights as they are.

    quantiles: by percent. at_least: share of the samples that agree at least as well as the learned weights.
    """

    samples: int
    mean: float
    std: float
    quantiles: dict[str, float]
    at_least: float


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How much the agreement depends on the choice of weights, on all pairs. scaled: empty for a flat grid."""

    scaled: list[ScaledWeights]
    steps: list[Step]
    left_out: list[LeftOut]
    temperatures: list[Temperature]
    simplex: Simplex


@dataclass(frozen=True, slots=True)
class Landscape:
    """The grid as a whole. points: of the grid. distinct: without those that are another one's multiple.

    best_points: that reach the best accuracy. near_points: within one percentage point of it. worst, median:
    accuracies.
    """

    points: int
    distinct: int
    best_points: int
    near_points: int
    worst: float
    median: float


@dataclass(frozen=True, slots=True)
class TiedWeight(OfWeight):
    """A weight in whose place others of its list reach the best accuracy too, so that the pairs do not settle it.

    alone: those that reach it with all other weights as they are. together: those that reach it with other weights of
    other lists only, multiples of the same weights among them.
    """

    weight: float
    alone: list[float]
    together: list[float]


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    """The weights whose scores agree best with the labels, and how far that can be trusted.

    data_version: sha256 of the pairs as far as they matter, the grid and the code's version. weights: in the shape of
    the grid, with a number for each list (`{metric: w}`, or `{"groups": [{"name", "weight", "metrics": {…}}]}`).
    labels, strata: pairs by each, after `options.drop_neither`. dropped: pairs that it left out. ignored_metrics: of
    pairs, not in the grid. tied: the weights in whose place others are as good. defaults: agreement of the grid's own
    default weights. undefined: why a part is None, by its name.
    """

    data_version: str
    code_version: str
    options: dict[str, Any]
    pairs: int
    dropped: int
    labels: dict[str, int]
    strata: dict[str, int]
    ignored_metrics: list[str]
    grid: dict[str, Any]
    weights: dict[str, Any]
    agreement: Agreement
    landscape: Landscape
    tied: list[TiedWeight]
    defaults: Agreement | None
    cross_validation: CrossValidation | None
    bootstrap: Bootstrap | None
    sensitivity: Sensitivity
    undefined: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        """As values that JSON knows."""
        return asdict(self)
