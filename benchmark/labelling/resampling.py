"""Bootstrap intervals of agreement: items are drawn anew with replacement, and a figure is worked out for each draw.

A draw is a row of weights, how often each item came; a figure takes draws × items at once and gives a value a draw,
not a number where it is undefined. With each item once it is the figure itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.statistic import Statistic
from benchmark.labelling.tables import Codes, LabelTable, Scale

Floats = NDArray[np.float64]
ItemMask = NDArray[np.bool_]
Sparse = Any
"""A matrix of scipy.sparse, which has no types."""
Figure = Callable[[Floats], Floats]
Key = TypeVar("Key")
MOST, FEWEST = 1000, 200
"""Draws: fewer of large tables."""
ROOM = 4_000_000
"""Draws × items that are worked out for one table."""
AT_ONCE = 2_000_000
"""Draws × items that are held at once; a number takes eight bytes."""
LEVEL = 0.95
SEED = 20_111
LEAST_ITEMS = 2
_TINY = 1e-12


def with_intervals(items: int, figures: Mapping[Key, tuple[Statistic, Figure]]) -> dict[Key, Statistic]:
    """The statistics of so many items with the ends of their percentile intervals, from the same draws for all.

    None where there is no value, or a figure is undefined for more than half of the draws.
    """
    wanted = {key: figure for key, (statistic, figure) in figures.items() if statistic.value is not None}
    values: dict[Key, list[Floats]] = {key: [] for key in wanted}
    for drawn in draws(items) if wanted else ():
        for key, figure in wanted.items():
            values[key].append(figure(drawn))
    ends = {key: interval(np.concatenate(parts)) if parts else None for key, parts in values.items()}
    return {key: _with_ends(statistic, ends.get(key)) for key, (statistic, _figure) in figures.items()}


def _with_ends(statistic: Statistic, ends: tuple[float, float] | None) -> Statistic:
    return statistic if ends is None else replace(statistic, low=ends[0], high=ends[1])


def draws(items: int) -> Iterator[Floats]:
    """Weights, draws × items, some draws at a time; the same for the same number of items."""
    if items < LEAST_ITEMS:
        return
    chance = np.random.default_rng(SEED)
    left = min(MOST, max(FEWEST, ROOM // items))
    while left:
        some = min(left, max(1, AT_ONCE // items))
        places = chance.integers(items, size=(some, items)) + np.arange(some)[:, None] * items
        yield np.bincount(places.ravel(), minlength=some * items).reshape(some, items).astype(float)
        left -= some


def interval(values: Floats, level: float = LEVEL) -> tuple[float, float] | None:
    """The percentile interval of the draws for which there is a value; None where most have none."""
    known = values[np.isfinite(values)]
    if 2 * len(known) < len(values) or not len(known):
        return None
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def mean_interval(of_items: Sequence[float]) -> tuple[float, float] | None:
    """Of the mean of a number an item; None where there are too few."""
    numbers = np.array(of_items, dtype=float)
    means = [drawn @ numbers / len(numbers) for drawn in draws(len(numbers))]
    return interval(np.concatenate(means)) if means else None


def _ratio(upper: Floats, lower: Floats) -> Floats:
    """Not a number where there is nothing below."""
    ratios = np.full(len(upper), np.nan)
    np.divide(upper, lower, out=ratios, where=lower > _TINY)
    return ratios


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """(observed − expected) / (1 − expected), of shares of agreement."""
    return 1 - _ratio(1 - observed, 1 - expected)


def _per_item(table: LabelTable, of_cell: Floats) -> Floats:
    counts: Floats = np.bincount(table.cells[0], weights=of_cell, minlength=len(table.items)).astype(float)
    return counts


def _counts(table: LabelTable, chosen: ItemMask, of_item: Floats | None = None) -> Sparse:
    """How often each item has each label: a sparse matrix, items × labels, with rows of 0 where not chosen.

    of_item: by which an item's counts are multiplied.
    """
    from scipy.sparse import csr_matrix

    items, codes, counts = table.cells
    values = counts * chosen[items] * (1.0 if of_item is None else of_item[items])
    return csr_matrix((values, (items, codes)), shape=(len(table.items), len(table.labels)))


def _times(drawn: Floats, matrix: Sparse) -> Floats:
    """Draws × items by a sparse matrix of items × labels."""
    return np.asarray((matrix.T @ drawn.T).T)


def percent(table: LabelTable) -> Figure:
    """Of `percent_agreement`."""
    counts, ratings = table.cells[2], table.ratings_of
    equal, pairs = _per_item(table, counts * (counts - 1) / 2), ratings * (ratings - 1) / 2
    return lambda drawn: _ratio(drawn @ equal, drawn @ pairs)


def all_agree(table: LabelTable, chosen: ItemMask) -> Figure:
    """Of `all_agree` over the chosen items."""
    alike = chosen & (np.bincount(table.cells[0], minlength=len(table.items)) == 1)
    return lambda drawn: _ratio(drawn @ alike, drawn @ chosen.astype(float))


def fleiss(table: LabelTable, chosen: ItemMask) -> Figure:
    """Of `fleiss_kappa` over the chosen items, which have as many ratings each."""
    counts, matrix = table.cells[2], _counts(table, chosen)
    equal = _per_item(table, counts * (counts - 1.0)) * chosen
    pairs = table.ratings_of * (table.ratings_of - 1.0) * chosen

    def figure(drawn: Floats) -> Floats:
        of_label = _times(drawn, matrix)
        expected = _ratio((of_label**2).sum(axis=1), of_label.sum(axis=1) ** 2)
        return _beyond_chance(_ratio(drawn @ equal, drawn @ pairs), expected)

    return figure


def ac1(table: LabelTable) -> Figure:
    """Of `gwet_ac1`: each item counts alike, however many ratings it has."""
    counts, ratings = table.cells[2], table.ratings_of
    several, rated = (ratings > 1).astype(float), (ratings > 0).astype(float)
    pairs = np.where(ratings > 1, ratings * (ratings - 1.0), 1.0)
    equal = _per_item(table, counts * (counts - 1.0)) / pairs * several
    shares = _counts(table, ratings > 0, 1 / np.maximum(ratings, 1))

    def figure(drawn: Floats) -> Floats:
        of_label = _times(drawn, shares) / np.maximum(drawn @ rated, _TINY)[:, None]
        expected = (of_label * (1 - of_label)).sum(axis=1) / max(len(table.labels) - 1, 1)
        return _beyond_chance(_ratio(drawn @ equal, drawn @ several), expected)

    return figure


def alpha(table: LabelTable, scale: Scale) -> Figure:
    """Of `krippendorff_alpha`."""
    chosen, counts, ratings = table.ratings_of > 1, table.cells[2], table.ratings_of
    matrix, free = _counts(table, chosen), np.maximum(ratings - 1.0, 1.0)
    if scale == "nominal":
        unequal = _per_item(table, counts * (ratings[table.cells[0]] - counts)) / free * chosen

        def nominal(drawn: Floats) -> Floats:
            of_label = _times(drawn, matrix)
            total = of_label.sum(axis=1)
            expected = _ratio(total**2 - (of_label**2).sum(axis=1), total - 1)
            return 1 - _ratio(drawn @ unequal, expected)

        return nominal
    points_of_labels = (
        table.values - table.values.mean() if scale == "interval" and table.labels else np.zeros(0)
    )

    def numbers(drawn: Floats) -> Floats:
        """The interval alpha of the labels, or of their mean ranks among all ratings of the draw."""
        of_label = _times(drawn, matrix)
        total = of_label.sum(axis=1)
        points = points_of_labels[None, :]
        if scale == "ordinal":
            points = np.cumsum(of_label, axis=1) - of_label / 2 - total[:, None] / 2
        within = _within_distances(matrix, points, ratings, drawn, free)
        means = _ratio((of_label * points).sum(axis=1), total)
        spread = (of_label * (points - means[:, None]) ** 2).sum(axis=1)
        return 1 - _ratio(within * (total - 1), spread * total)

    return numbers


def _within_distances(matrix: Sparse, points: Floats, ratings: Codes, drawn: Floats, free: Floats) -> Floats:
    """Of each draw the squared distances of ratings from their item's mean, times ratings over ratings less one."""
    share = ratings / free
    squares = np.asarray((matrix @ (points**2).T).T) - np.asarray((matrix @ points.T).T) ** 2 / np.maximum(
        ratings, 1
    )
    distances: Floats = (drawn * squares * share).sum(axis=1)
    return distances


def icc(block: Floats, chosen: ItemMask) -> Figure:
    """Of `icc_2k`. block: chosen items × raters."""
    raters = block.shape[1]
    centred = block - block.mean()
    means, squares = centred.mean(axis=1), (centred**2).sum(axis=1)

    def figure(drawn: Floats) -> Floats:
        weights = drawn[:, chosen]
        items = weights.sum(axis=1)
        grand, columns = _ratio(weights @ means, items), weights @ centred
        between = raters * (weights @ means**2 - items * grand**2)
        raters_apart = _ratio((columns**2).sum(axis=1), items) - raters * items * grand**2
        rest = weights @ squares - raters * items * grand**2 - between - raters_apart
        of_items, of_raters = _ratio(between, items - 1), raters_apart / (raters - 1)
        error = _ratio(rest, (items - 1) * (raters - 1))
        value = _ratio(of_items - error, of_items + _ratio(of_raters - error, items))
        return np.where(np.abs(value) < _TINY, 0.0, value)

    return figure


def kappa(table: LabelTable, first: Codes, second: Codes, values: Floats, weights: str | None) -> Figure:
    """Of Cohen's kappa of two raters. first, second: their codes by item, −1 for none; values: of the labels."""
    both = (first >= 0) & (second >= 0)
    one, other = first[both], second[both]
    columns = [_one_hot(codes, len(table.labels)) for codes in (one, other)]
    if weights is None:
        apart = (one != other).astype(float)
    else:
        apart = np.abs(values[one] - values[other]) ** (1 if weights == "linear" else 2)

    def figure(drawn: Floats) -> Floats:
        shown = drawn[:, both]
        total = np.maximum(shown.sum(axis=1), _TINY)
        of_one, of_other = (_times(shown, matrix) / total[:, None] for matrix in columns)
        kappas = 1 - _ratio(shown @ apart / total, _chance(of_one, of_other, values, weights))
        return np.where(total > _TINY, kappas, np.nan)

    return figure


def _one_hot(codes: Codes, labels: int, values: Any = 1.0) -> Sparse:
    """Items × labels: the value of an item under its label, 0 elsewhere."""
    from scipy.sparse import csr_matrix

    cells = np.broadcast_to(np.asarray(values, dtype=float), codes.shape)
    return csr_matrix((cells, (np.arange(len(codes)), codes)), shape=(len(codes), labels))


def _chance(one: Floats, other: Floats, values: Floats, weights: str | None) -> Floats:
    """The disagreement of any label of the one and any of the other. one, other: shares, draws × labels."""
    chances: Floats
    if weights is None:
        chances = 1 - (one * other).sum(axis=1)
    elif weights == "quadratic":
        chances = (one + other) @ values**2 - 2 * (one @ values) * (other @ values)
    else:
        below, under = (np.cumsum(shares, axis=1)[:, :-1] for shares in (one, other))
        chances = (below * (1 - under) + under * (1 - below)) @ np.diff(values)
    return chances


def tau(strengths: Sequence[float], signs: Sequence[int]) -> Figure:
    """Of Kendall's tau-b of a number and a sign (1, 0, −1) an item. An item that came twice is a tie with itself."""
    numbers, said = np.array(strengths, dtype=float), np.array(signs)
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order], prepend=np.nan) != 0)
    places = [order[said[order] == sign] for sign in (-1, 0, 1)]
    below = [_places_below(numbers[one], numbers[other]) for one, other in combinations(places, 2)]

    def figure(drawn: Floats) -> Floats:
        groups = [drawn[:, where] for where in places]
        pairs = zip(combinations(groups, 2), below, strict=True)
        apart = sum((_ordered_pairs(*two, at) for two, at in pairs), np.zeros(len(drawn)))
        all_pairs = _pairs_within(drawn.sum(axis=1))
        tied = _pairs_within(np.add.reduceat(drawn[:, order], starts, axis=1)).sum(axis=1)
        alike = sum((_pairs_within(group.sum(axis=1)) for group in groups), np.zeros(len(drawn)))
        return _ratio(apart, np.sqrt((all_pairs - tied) * (all_pairs - alike)))

    return figure


def _places_below(lower: Floats, upper: Floats) -> tuple[Codes, Codes]:
    """For each of the one, how many of the other are less, and how many are no more. Both in their order."""
    return np.searchsorted(upper, lower, "left"), np.searchsorted(upper, lower, "right")


def _ordered_pairs(lower: Floats, upper: Floats, below: tuple[Codes, Codes]) -> Floats:
    """Pairs of one of each of which the second is more, less those of which it is less. below: of each first one."""
    summed = np.zeros((len(upper), upper.shape[1] + 1))
    np.cumsum(upper, axis=1, out=summed[:, 1:])
    pair_counts: Floats = (lower * (summed[:, -1:] - summed[:, below[1]] - summed[:, below[0]])).sum(axis=1)
    return pair_counts


def _pairs_within(counts: Floats) -> Floats:
    return counts * (counts - 1) / 2


def calibration_error(bins: Sequence[int], gaps: Sequence[float]) -> Figure:
    """Of the calibration error. bins: of each item, from 0; gaps: 1 or 0 for right or wrong, less the confidence."""
    of_bin = _one_hot(np.array(bins), max(bins) + 1, np.array(gaps))
    return lambda drawn: _ratio(np.abs(_times(drawn, of_bin)).sum(axis=1), drawn.sum(axis=1))


def share(hits: Floats, trials: Floats) -> Figure:
    """Of a share of trials. hits, trials: of each item."""
    return lambda drawn: _ratio(drawn @ hits, drawn @ trials)


def codes_by_rater(table: LabelTable) -> Codes:
    """The code of each rater for each item, raters × items; −1 for none."""
    codes = np.full((len(table.raters), len(table.items)), -1, dtype=np.int64)
    codes[table.rater_of, table.item_of] = table.code_of
    return codes


def mean_of(figures: Iterable[Figure]) -> Figure:
    """The mean of those that are defined, of each draw."""
    several: Sequence[Figure] = list(figures)

    def figure(drawn: Floats) -> Floats:
        values = np.array([figure_of(drawn) for figure_of in several])
        known = np.isfinite(values)
        return _ratio(np.where(known, values, 0).sum(axis=0), known.sum(axis=0).astype(float))

    return figure
