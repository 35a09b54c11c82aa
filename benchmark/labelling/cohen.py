"""Cohen's kappa of each pair of raters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from statistics import fmean
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.statistic import Definition, Size, Statistic, undefined_statistic
from benchmark.labelling.tables import Codes, LabelTable, RatingPairs
from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark

Floats = NDArray[np.float64]
RaterPair = tuple[str, str]
Weights = Literal["linear", "quadratic"]

COHEN = Definition(
    key="cohen_kappa",
    name=_("Cohen's kappa"),
    meaning=_(
        "How far two raters agree on the items that both rated, beyond what their own shares of each label "
        "give by chance."
    ),
    source="Cohen 1960",
)
COHEN_LINEAR = Definition(
    key="cohen_kappa_linear",
    name=_("Cohen's kappa, linear weights"),
    meaning=_("Cohen's kappa with each disagreement counted by the distance of the two ratings."),
    source="Cohen 1968",
)
COHEN_QUADRATIC = Definition(
    key="cohen_kappa_quadratic",
    name=_("Cohen's kappa, quadratic weights"),
    meaning=_("Cohen's kappa with each disagreement counted by the squared distance of the two ratings."),
    source="Cohen 1968",
)
COHEN_MEAN = Definition(
    key="cohen_kappa_mean",
    name=_("mean of Cohen's kappas"),
    meaning=_(
        "The mean of Cohen's kappa over the pairs of raters for whom it is defined; each pair counts equally."
    ),
    source="Light 1971",
)
_OF_WEIGHTS: Mapping[Weights | None, Definition] = {
    None: COHEN,
    "linear": COHEN_LINEAR,
    "quadratic": COHEN_QUADRATIC,
}
_NONE_SHARED = _("no item is rated by both")
_BOTH_ONE_LABEL = _("both give every item the same label, so they could not be expected to differ")
_TOO_MANY = _("more than %(most)s pairs of ratings; give fewer raters per item")
_NO_KAPPA = _("Cohen's kappa is defined for no pair of raters")
_PAIRS_LEFT_OUT = _("pairs of raters left out because it is undefined for them: %(pairs)s")
MOST_PAIRS = 5_000_000
"""Pairs of ratings for which Cohen's kappas are worked out; each takes some 100 bytes."""
MOST_RATERS = 300
"""Up to so many raters all of their pairs are listed; above it, those that share an item."""


def cohen_kappas(table: LabelTable, weights: Weights | None = None) -> dict[RaterPair, Statistic]:
    """Cohen's kappa of each pair of raters, in the order of their names.

    weights: by which disagreements count; they take the labels as numbers, so that labels 1 to 5 lie 1 apart whether
    or not each was given. Above MOST_RATERS raters, only pairs that share an item are listed.

    Raises:
        ValueError: weights are asked for, and the labels are no numbers.
    """
    values = table.values if weights else np.zeros(0)
    definition = _OF_WEIGHTS[weights]
    if table.rating_pairs > MOST_PAIRS:
        named = combinations(table.raters[:MOST_RATERS], 2)
        return {pair: undefined_statistic(definition, _TOO_MANY, most=f"{MOST_PAIRS:,}") for pair in named}
    pairs = table.pairs()
    known, which = np.unique(pairs.first * len(table.raters) + pairs.second, return_inverse=True)
    kappas = dict(zip(known.tolist(), _kappas(pairs, which, len(known), weights, values), strict=True))
    return {
        (table.raters[first], table.raters[second]): _cohen(
            definition, *kappas.get(first * len(table.raters) + second, (0, 0.0, 0.0))
        )
        for first, second in _rater_pairs(known, len(table.raters))
    }


def _rater_pairs(known: Codes, raters: int) -> Iterator[tuple[int, int]]:
    if raters <= MOST_RATERS:
        return combinations(range(raters), 2)
    return ((int(key) // raters, int(key) % raters) for key in known)


def _cohen(definition: Definition, items: int, observed: float, expected: float) -> Statistic:
    """observed, expected: disagreements, the second that of chance."""
    size = Size(items=items, ratings=2 * items, pairs=items, raters=2)
    if not items:
        return undefined_statistic(definition, _NONE_SHARED, size)
    if not expected:
        return undefined_statistic(definition, _BOTH_ONE_LABEL, size)
    return Statistic(definition, 1 - observed / expected, size)


def _kappas(
    pairs: RatingPairs, which: Codes, count: int, weights: Weights | None, values: Floats
) -> list[tuple[int, float, float]]:
    """Of each pair of raters the items they share, the observed disagreement, and that of chance.

    which: the pair of raters of each pair of ratings, below `count`.
    """
    items = np.bincount(which, minlength=count)
    expected = unequal = _chance(pairs, which, items)
    if weights is None:
        apart = (pairs.first_code != pairs.second_code).astype(float)
    else:
        first, second = values[pairs.first_code], values[pairs.second_code]
        apart = np.abs(first - second) if weights == "linear" else (first - second) ** 2
        chance = _linear_chance if weights == "linear" else _quadratic_chance
        expected = np.where(unequal == 0, 0.0, chance(first, second, which, items))
    observed = np.bincount(which, weights=apart, minlength=count) / items
    return list(zip(items.tolist(), observed.tolist(), expected.tolist(), strict=True))


def _chance(pairs: RatingPairs, which: Codes, items: Codes) -> Floats:
    """The share of unequal labels if each rater of a pair gave theirs to random items."""
    labels = 1 + max(int(codes.max(initial=0)) for codes in (pairs.first_code, pairs.second_code))
    one, of_one = np.unique(which * labels + pairs.first_code, return_counts=True)
    other, of_other = np.unique(which * labels + pairs.second_code, return_counts=True)
    both, at_one, at_other = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    alike = np.bincount(both // labels, weights=of_one[at_one] * of_other[at_other], minlength=len(items))
    expected: Floats = (items.astype(float) ** 2 - alike) / items.astype(float) ** 2
    return expected


def _quadratic_chance(first: Floats, second: Floats, which: Codes, items: Codes) -> Floats:
    """The mean squared distance of any two labels, one of each: both variances and the means' distance."""

    def mean(of: Floats) -> Floats:
        return np.bincount(which, weights=of, minlength=len(items)) / items

    one, other = mean(first), mean(second)
    return mean((first - one[which]) ** 2) + mean((second - other[which]) ** 2) + (one - other) ** 2


def _linear_chance(first: Floats, second: Floats, which: Codes, items: Codes) -> Floats:
    """The mean distance of any label of the one and any of the other: the areas between their distributions."""
    order = np.argsort(which, kind="stable")
    ends = np.cumsum(items)[:-1]
    distances = map(_mean_distance, np.split(first[order], ends), np.split(second[order], ends))
    return np.fromiter(distances, dtype=float, count=len(items))


def _mean_distance(first: Floats, second: Floats) -> float:
    steps = np.unique(np.concatenate([first, second]))
    below = [np.searchsorted(np.sort(side), steps[:-1], side="right") / len(side) for side in (first, second)]
    apart = below[0] * (1 - below[1]) + below[1] * (1 - below[0])
    return float((np.diff(steps) * apart).sum())


def mean_kappa(kappas: Mapping[RaterPair, Statistic]) -> Statistic:
    """The mean over pairs of raters."""
    known = {pair: kappa.value for pair, kappa in kappas.items() if kappa.value is not None}
    size = Size(pairs=len(known), raters=len({name for pair in known for name in pair}))
    if not known:
        return undefined_statistic(COHEN_MEAN, _NO_KAPPA, size)
    lacking = len(kappas) - len(known)
    remarks = (Remark(_PAIRS_LEFT_OUT, {"pairs": lacking}),) if lacking else ()
    return Statistic(COHEN_MEAN, fmean(known.values()), size, remarks=remarks)


def pair_key(one: str, other: str) -> str:
    """Two names with | between; a | within a name is written \\|, a \\ as \\\\, so that no two pairs share a key."""
    return "|".join(name.replace("\\", "\\\\").replace("|", "\\|") for name in (one, other))
