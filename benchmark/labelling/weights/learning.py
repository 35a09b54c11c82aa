"""Learn weights from labelled pairs: the best point of a grid, and how far to trust it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import prod
from statistics import fmean, stdev

import numpy as np
import orjson

from benchmark.inputs import LineProblem
from benchmark.labelling.weights.bootstrap import draw_counts, interval, out_of_bag
from benchmark.labelling.weights.comparison import Comparison, Floats, Ints
from benchmark.labelling.weights.components import classes_of
from benchmark.labelling.weights.folds import Folds, has_enough_pairs, nested_folds, small_cells
from benchmark.labelling.weights.grid import Grid, GridError, Weights
from benchmark.labelling.weights.pairs import Pair, PairsError
from benchmark.labelling.weights.results import (
    Agreement,
    Bootstrap,
    ChosenWeights,
    CrossValidation,
    Fold,
    Landscape,
    LearnedWeights,
    Spread,
    TiedWeight,
)
from benchmark.labelling.weights.scoring import Scores, agreement, right_of
from benchmark.labelling.weights.search import Best, Progress, best_points
from benchmark.labelling.weights.sensitivity import Probe, sensitivity

CODE_VERSION = "1"
"""Raised with whatever changes a result."""
MOST_POINTS = 10_000_000
LARGEST_SEARCH = 1_000_000_000
"""Points of a grid: no option admits more, which would take a day."""
LARGEST_GROUP = 25_000_000
"""Combinations of the weights of one group, or of a flat grid: 54 bytes each."""
MOST_DRAWN = 100_000_000
"""Pairs times bootstrap samples, about 1 GB."""
MOST_FOLDS = 100

Report = Callable[[int, int, str], None]
"""Called several times a second with points done, points in all, and what is searched. What it raises ends all."""


@dataclass(frozen=True, slots=True)
class Options:
    """How much is asked. folds, bootstrap: 0 leaves the part out. most_points: larger grids are refused.

    drop_neither: leave out pairs whose label is neither, in place of counting them as ties. relearn: choose weights
    anew without each metric, a smaller search each.
    """

    folds: int = 5
    bootstrap: int = 1_000
    seed: int = 0
    drop_neither: bool = False
    relearn: bool = True
    most_points: int = MOST_POINTS


def learn(
    pairs: Sequence[Pair], grid: Grid, options: Options = Options(), progress: Report | None = None
) -> LearnedWeights:
    """The weights of the grid whose scores agree with most labels, exactly: no point is left out.

    Pairs count in the order of their ids, so that the order of a file changes nothing. Of equally good points the one
    nearest to the grid's default weights is taken, or to the middles of its lists, then the first. Values should be
    of the size of 1: beyond about 100, floats leave more ties open, and each that is worked out takes 0.2 ms.

    Raises:
        PairsError: no pair is left.
        GridError: too many points, or a metric that no pair has.
        ValueError: an option is out of range.
    """
    kept = _pairs_used(pairs, options.drop_neither)
    _check(kept, grid, options)
    return _Learning(kept, len(pairs) - len(kept), grid, options, progress).result()


def data_version(pairs: Sequence[Pair], grid: Grid, *, drop_neither: bool = False) -> str:
    """What a result is of: the SHA-256 of the pairs, as far as they matter, the grid, and the code's version."""
    known = set(grid.metrics)
    rows = [
        [
            pair.id,
            pair.stratum,
            pair.label,
            *({m: v for m, v in side.items() if m in known} for side in (pair.a, pair.b)),
        ]
        for pair in _pairs_used(pairs, drop_neither)
    ]
    whole = {"code": CODE_VERSION, "grid": grid.as_json(), "pairs": rows}
    return hashlib.sha256(orjson.dumps(whole, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _pairs_used(pairs: Sequence[Pair], drop_neither: bool) -> list[Pair]:
    kept = [pair for pair in pairs if not (drop_neither and pair.label == "neither")]
    return sorted(kept, key=lambda pair: pair.id)


def _check(pairs: list[Pair], grid: Grid, options: Options) -> None:
    if not pairs:
        told = "there is no pair to learn from; label some, or keep those labelled neither"
        raise PairsError(LineProblem(1, "", told))
    _check_points(grid, options)
    present = _metrics_of(pairs)
    if idle := [metric for metric in grid.metrics if metric not in present]:
        told = "no pair has a value of this metric; correct its name, or leave it out"
        raise GridError(*((name, told) for name in idle))
    if options.folds and not 2 <= options.folds <= MOST_FOLDS:
        raise ValueError(f"folds: expected 0 for none, or 2 to {MOST_FOLDS}, found {options.folds}")
    if options.bootstrap < 0 or options.bootstrap * len(pairs) > MOST_DRAWN:
        most = MOST_DRAWN // len(pairs)
        raise ValueError(
            f"bootstrap: expected 0 to {most:,} samples of {len(pairs):,} pairs, found {options.bootstrap:,}"
        )


def _check_points(grid: Grid, options: Options) -> None:
    most = min(options.most_points, LARGEST_SEARCH)
    if grid.points > most:
        more = "" if most == LARGEST_SEARCH else f", or admit more (up to {LARGEST_SEARCH:,})"
        wrong = f"the grid has {grid.points:,} points, {most:,} are admitted"
        raise GridError(("", f"{wrong}; shorten lists or leave metrics out{more}"))
    parts = {group.name: list(group.metrics.values()) for group in grid.groups}
    parts["weights of groups"] = [group.weights for group in grid.groups]
    for name, axes in parts.items():
        if (points := prod(map(len, axes))) > LARGEST_GROUP:
            wrong = f"{points:,} combinations, more than {LARGEST_GROUP:,} do not fit into the memory"
            raise GridError((name, f"{wrong}; shorten lists, or divide the metrics into groups"))


def _metrics_of(pairs: Sequence[Pair]) -> set[str]:
    return {metric for pair in pairs for side in (pair.a, pair.b) for metric in side}


class _Learning:
    """One search with all that is asked of it."""

    def __init__(
        self, pairs: list[Pair], dropped: int, grid: Grid, options: Options, progress: Report | None
    ) -> None:
        self._dropped_count, self._grid, self._options = dropped, grid, options
        self._comparison = Comparison(pairs, grid)
        self._pairs = self._comparison.pairs
        self._gaps: dict[str, str] = {}
        self._folds = self._nested_folds()
        self._draws = draw_counts(len(pairs), options.bootstrap, options.seed)
        if not options.bootstrap:
            self._gaps["bootstrap"] = "it was not asked for"
        rest = [grid.without_metrics([metric]) for metric in grid.metrics] if options.relearn else []
        self._total_count = sum(classes_of(own).count for own in (grid, *rest) if own)
        self._done_count, self._report = 0, progress

    def result(self) -> LearnedWeights:
        """Search, then judge what was found."""
        best = best_points(self._comparison, self._grid, self._questions(), self._progress("all pairs"))
        weights, defaults = self._grid.weights_at(int(best.points[0])), self._grid.defaults
        probe = Probe(self._comparison, weights)
        relearn = self._learn_without if self._options.relearn else None
        return LearnedWeights(
            data_version=data_version(self._pairs, self._grid),
            code_version=CODE_VERSION,
            options=asdict(self._options),
            pairs=len(self._pairs),
            dropped=self._dropped_count,
            labels=dict(sorted(Counter(pair.label for pair in self._pairs).items())),
            strata=dict(sorted(Counter(pair.stratum for pair in self._pairs).items())),
            ignored_metrics=sorted(_metrics_of(self._pairs) - set(self._grid.metrics)),
            grid=self._grid.as_json(),
            weights=weights.as_json(),
            agreement=self._agreement(weights),
            landscape=_landscape(best, self._grid),
            tied=_ties_of(best, probe),
            defaults=self._agreement(defaults) if defaults else None,
            cross_validation=self._cross_validation(self._folds, best) if self._folds else None,
            bootstrap=self._bootstrap(best, probe) if self._options.bootstrap else None,
            sensitivity=sensitivity(probe, self._options.seed, relearn),
            undefined=self._gaps,
        )

    def _nested_folds(self) -> Folds | None:
        folds = self._options.folds
        if not folds:
            self._gaps["cross_validation"] = "it was not asked for"
        elif not has_enough_pairs(len(self._pairs), folds):
            self._gaps["cross_validation"] = f"{len(self._pairs)} pairs are too few for {folds} folds"
        else:
            return nested_folds(self._pairs, folds, self._options.seed)
        return None

    def _questions(self) -> Ints:
        """Pairs × questions: all pairs, then the inner folds of each fold, then the bootstrap samples."""
        of_folds = [self._folds.questions()] if self._folds else []
        return np.column_stack([np.ones(len(self._pairs), dtype=np.int64), *of_folds, self._draws])

    def _progress(self, label: str) -> Progress:
        """What one of the searches tells its progress to."""

        def progress(points: int) -> None:
            self._done_count = min(self._done_count + points, self._total_count)
            if self._report:
                self._report(self._done_count, self._total_count, label)

        return progress

    def _agreement(self, weights: Weights) -> Agreement:
        return agreement(Scores(self._comparison, [weights]), self._comparison.signs)

    def _learn_without(self, metric: str) -> tuple[float, Weights] | None:
        grid = self._grid.without_metrics([metric])
        if grid is None:
            return None
        everything = np.ones((len(self._pairs), 1), dtype=np.int64)
        comparison = Comparison(self._pairs, grid)
        best = best_points(comparison, grid, everything, self._progress(f"without {metric}"))
        return float(best.values[0]) / len(self._pairs), grid.weights_at(int(best.points[0]))

    def _cross_validation(self, nested: Folds, best: Best) -> CrossValidation:
        folds = [self._fold(nested, best, fold) for fold in range(nested.count)]
        return CrossValidation(
            folds=folds,
            inner_accuracy=_spread([fold.inner_accuracy for fold in folds]),
            train_accuracy=_spread([fold.train.accuracy for fold in folds]),
            validation_accuracy=_spread([fold.validation.accuracy for fold in folds]),
            train_tau=_spread([fold.train.tau_b for fold in folds]),
            validation_tau=_spread([fold.validation.tau_b for fold in folds]),
            small_cells=small_cells(self._pairs, nested.count),
        )

    def _fold(self, folds: Folds, best: Best, fold: int) -> Fold:
        weights = self._grid.weights_at(int(best.points[1 + fold]))
        scores, labels = Scores(self._comparison, [weights]), self._comparison.signs
        return Fold(
            fold=fold + 1,
            weights=weights.as_json(),
            inner_accuracy=int(best.values[1 + fold]) / folds.scale(fold),
            best_points=int(best.reached_counts[1 + fold]),
            train=agreement(scores, labels, np.flatnonzero(folds.outer != fold)),
            validation=agreement(scores, labels, np.flatnonzero(folds.outer == fold)),
        )

    def _bootstrap(self, best: Best, probe: Probe) -> Bootstrap:
        points = best.points[-self._options.bootstrap :]
        different, which = np.unique(points, return_inverse=True)
        choices = [self._grid.weights_at(int(point)) for point in different]
        right = right_of(self._comparison, choices)[which]
        fixed = probe.right.astype(np.int64) @ self._draws / len(self._pairs)
        anew = best.values[-self._options.bootstrap :] / len(self._pairs)
        on_all, on_absent = right.mean(axis=1), out_of_bag(right, self._draws)
        optimism = float((anew - on_all).mean())
        return Bootstrap(
            fixed=interval(fixed),
            anew=interval(anew),
            anew_all=interval(on_all),
            out_of_bag=interval(on_absent) if len(on_absent) else None,
            optimism=optimism,
            corrected=float(probe.right.mean()) - optimism,
            chosen=_choices_of(self._grid, choices, np.bincount(which) / len(which)),
        )


def _spread(values: Sequence[float | None]) -> Spread:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return Spread(None, None)
    return Spread(fmean(known), stdev(known) if len(known) > 1 else None)


def _choices_of(grid: Grid, choices: list[Weights], shares: Floats) -> list[ChosenWeights]:
    values = np.array([grid.values_of(choice) for choice in choices])
    return [
        ChosenWeights(
            group, metric, list(axis), [float(shares[values[:, number] == weight].sum()) for weight in axis]
        )
        for number, (axis, (group, metric)) in enumerate(zip(grid.axes, grid.names, strict=True))
        if len(axis) > 1
    ]


def _landscape(best: Best, grid: Grid) -> Landscape:
    """best: with a first question of all pairs."""
    pairs, most = len(best.right) - 1, int(best.values[0])
    reached = np.flatnonzero(best.right)
    cumulative = np.cumsum(best.right)
    near = np.arange(pairs + 1) >= most - pairs / 100
    return Landscape(
        points=grid.points,
        distinct=best.searched,
        best_points=int(best.reached_counts[0]),
        near_points=int(best.right[near].sum()),
        worst=float(reached[0]) / pairs,
        median=float(np.searchsorted(cumulative, (grid.points + 1) // 2)) / pairs,
    )


def _ties_of(best: Best, probe: Probe) -> list[TiedWeight]:
    """best: with a first question of all pairs."""
    ties = []
    for axis, (reached, (group, metric)) in enumerate(zip(best.tied_weights, probe.grid.names, strict=True)):
        weight = float(probe.values[axis])
        if others := [other for other in reached if other != weight]:
            moved = probe.weights_of([probe.with_value(axis, other) for other in others])
            as_good = right_of(probe.comparison, moved).sum(axis=1) == int(best.values[0])
            alone = [other for other, good in zip(others, as_good, strict=True) if good]
            together = [other for other in others if other not in alone]
            ties.append(TiedWeight(group, metric, weight, alone, together))
    return ties
