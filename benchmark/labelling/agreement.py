"""How far the raters of a table agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling import many_labels, resampling
from benchmark.labelling.cohen import RaterPair, Weights, cohen_kappas, mean_kappa
from benchmark.labelling.resampling import Figure, Floats
from benchmark.labelling.statistic import Definition, Size, Statistic, undefined_statistic
from benchmark.labelling.tables import Codes, LabelTable, Scale
from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark

PERCENT = Definition(
    key="percent_agreement",
    name=_("pairwise agreement"),
    meaning=_("The share of equal ratings among the pairs of ratings of the same item, pooled over items."),
    source="TripScore, appendix C.1",
    share=True,
)
ALL_AGREE = Definition(
    key="all_agree",
    name=_("agreement of all raters"),
    meaning=_(
        "The share of items whose ratings are all equal, among items with the most common number of ratings."
    ),
    source="TripScore, appendix C.1",
    share=True,
)
FLEISS = Definition(
    key="fleiss_kappa",
    name=_("Fleiss' kappa"),
    meaning=_(
        "How far the raters of an item agree beyond what the shares of each label in all ratings "
        "give by chance, over items with the most common number of ratings."
    ),
    source="Fleiss 1971",
)
ALPHA: Mapping[Scale, Definition] = {
    "nominal": Definition(
        key="krippendorff_alpha_nominal",
        name=_("Krippendorff's alpha, nominal"),
        meaning=_(
            "One minus the ratio of observed to expected disagreement of ratings, over items with at "
            "least two."
        ),
        source="Krippendorff 2011",
    ),
    "ordinal": Definition(
        key="krippendorff_alpha_ordinal",
        name=_("Krippendorff's alpha, ordinal"),
        meaning=_("Krippendorff's alpha, counting disagreements by the squared number of ratings between."),
        source="Krippendorff 2011",
    ),
    "interval": Definition(
        key="krippendorff_alpha_interval",
        name=_("Krippendorff's alpha, interval"),
        meaning=_("Krippendorff's alpha, counting disagreements by their squared difference."),
        source="Krippendorff 2011",
    ),
}
AC1 = Definition(
    key="gwet_ac1",
    name=_("Gwet's AC1"),
    meaning=_(
        "How far raters agree beyond chance, where chance comes from those who rate at random. "
        "Unlike kappa it holds where one label is much more frequent than the others."
    ),
    source="Gwet 2008",
)
ICC = Definition(
    key="icc_2k",
    name=_("ICC(2,k)"),
    meaning=_(
        "How far the mean of all raters would stay the same with other raters: the share of the "
        "variance of means that lies between items, where differences of level between raters count "
        "against it."
    ),
    source="Shrout and Fleiss 1979",
)

_NOT_TWO = _("no item has two ratings")
_ONE_LABEL = _("all ratings are the same label, so none could be expected to differ")
_LEFT_OUT = _("items left out, with another number of ratings than %(ratings)s: %(items)s")
_NO_BLOCK = _("fewer than two items are rated by all of two or more raters")
_NOT_ALL = _("items left out, which not every rater has rated: %(items)s")
_MEAN: RaterPair = ("", "")
"""No pair: the key of their mean."""
MOST_INTERVALS = 60
"""Pairs of raters whose kappas get intervals."""


def percent_agreement(table: LabelTable) -> Statistic:
    """Over all pairs of ratings of one item; complete tables have the same mean by items and by pairs of raters."""
    _items, _codes, counts = table.cells
    pairs, size = table.rating_pairs, _pairable(table)
    if not pairs:
        return undefined_statistic(PERCENT, _NOT_TWO, size)
    return Statistic(PERCENT, int((counts * (counts - 1) // 2).sum()) / pairs, size)


def all_agree(table: LabelTable) -> Statistic:
    """TripScore's “three-rater agreement”, for any number of raters."""
    chosen, size, remarks = _of_commonest(table)
    if not chosen.any():
        return undefined_statistic(ALL_AGREE, _NOT_TWO, size)
    different = np.bincount(table.cells[0], minlength=len(table.items))
    return Statistic(ALL_AGREE, float((different[chosen] == 1).mean()), size, remarks=remarks)


def fleiss_kappa(table: LabelTable) -> Statistic:
    """Of the items with the commonest number of ratings; the larger number where two are as common."""
    chosen, size, remarks = _of_commonest(table)
    if not chosen.any():
        return undefined_statistic(FLEISS, _NOT_TWO, size)
    if _different_labels(table, chosen) < 2:
        return undefined_statistic(FLEISS, _ONE_LABEL, size)
    codes, counts = _cells_of(table, chosen)
    total = counts.sum()
    observed = (counts * (counts - 1)).sum() / (2 * size.pairs)
    expected = ((np.bincount(codes, weights=counts) / total) ** 2).sum()
    return Statistic(FLEISS, float((observed - expected) / (1 - expected)), size, remarks=remarks)


def _cells_of(table: LabelTable, chosen: NDArray[np.bool_]) -> tuple[Codes, Codes]:
    """Codes of the chosen items, and how often one item has them."""
    items, codes, counts = table.cells
    return codes[chosen[items]], counts[chosen[items]]


def krippendorff_alpha(table: LabelTable, scale: Scale | None = None) -> Statistic:
    """With whatever is missing. scale: by default the table's.

    Raises:
        ValueError: the labels are no numbers, and the scale wants them.
    """
    scale = scale or table.scale
    values = np.arange(len(table.labels), dtype=float) if scale == "nominal" else table.values
    chosen, size = table.ratings_of > 1, _pairable(table)
    if not chosen.any():
        return undefined_statistic(ALPHA[scale], _NOT_TWO, size)
    if _different_labels(table, chosen) < 2:
        return undefined_statistic(ALPHA[scale], _ONE_LABEL, size)
    return Statistic(ALPHA[scale], many_labels.krippendorff_alpha(table, chosen, values, scale), size)


def gwet_ac1(table: LabelTable) -> Statistic:
    """Of all items with a rating; those with two or more tell how far raters agree. Labels that nobody gave do not
    count as categories.
    """
    size = _pairable(table)
    if not size.items:
        return undefined_statistic(AC1, _NOT_TWO, size)
    if len(table.labels) < 2:
        return undefined_statistic(AC1, _ONE_LABEL, size)
    value = float(resampling.ac1(table)(np.ones((1, len(table.items))))[0])
    return Statistic(AC1, value, size)


def icc_2k(table: LabelTable) -> Statistic:
    """Over the items that every rater has rated.

    Raises:
        ValueError: the labels are no numbers.
    """
    block, chosen = _whole_block(table)
    items, raters = block.shape
    left_out = int((~chosen & (table.ratings_of > 0)).sum())
    remarks = (Remark(_NOT_ALL, {"items": left_out}),) if left_out else ()
    size = Size(items=items, ratings=block.size, raters=raters)
    if items < 2 or raters < 2:
        return undefined_statistic(ICC, _NO_BLOCK, size)
    value = float(resampling.icc(block, chosen)(np.ones((1, len(table.items))))[0])
    if not np.isfinite(value):
        return undefined_statistic(ICC, _ONE_LABEL, size)
    return Statistic(ICC, value, size, remarks=remarks)


def _whole_block(table: LabelTable) -> tuple[Floats, NDArray[np.bool_]]:
    """The ratings of the items that all raters have rated, items × raters, and which items they are."""
    chosen = table.ratings_of == len(table.raters)
    of_chosen = chosen[table.item_of]
    return table.values[table.code_of[of_chosen]].reshape(-1, max(len(table.raters), 1)), chosen


def _pairable(table: LabelTable) -> Size:
    several = table.ratings_of > 1
    return Size(
        items=int(several.sum()),
        ratings=int(table.ratings_of[several].sum()),
        pairs=table.rating_pairs,
        raters=len(np.unique(table.rater_of[several[table.item_of]])),
    )


def _of_commonest(table: LabelTable) -> tuple[NDArray[np.bool_], Size, tuple[Remark, ...]]:
    """Which items have the commonest number of ratings above one, how many they are, and what is left out."""
    numbers, items = np.unique(table.ratings_of[table.ratings_of > 1], return_counts=True)
    if not len(numbers):
        return np.zeros(len(table.items), dtype=bool), Size(), ()
    each = int(numbers[items == items.max()].max())
    chosen = table.ratings_of == each
    count, left_out = int(chosen.sum()), int((~chosen & (table.ratings_of > 0)).sum())
    pairs = count * each * (each - 1) // 2
    raters = len(np.unique(table.rater_of[chosen[table.item_of]]))
    remarks = (Remark(_LEFT_OUT, {"items": left_out, "ratings": each}),) if left_out else ()
    return chosen, Size(count, count * each, pairs, raters), remarks


def _different_labels(table: LabelTable, chosen: NDArray[np.bool_]) -> int:
    return len(np.unique(table.code_of[chosen[table.item_of]]))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Every statistic of a table. alphas: by scale, those that the table's labels allow, its own first.

    weighted_kappas: Cohen's kappas by their weights, and icc, on scales of numbers. All have bootstrap intervals,
    Cohen's kappas of the first MOST_INTERVALS pairs of raters.
    """

    table: LabelTable
    percent: Statistic
    all_agree: Statistic
    cohen: Mapping[RaterPair, Statistic]
    cohen_mean: Statistic
    weighted_kappas: Mapping[Weights, Mapping[RaterPair, Statistic]]
    fleiss: Statistic
    alphas: Mapping[Scale, Statistic]
    ac1: Statistic
    icc: Statistic | None

    @property
    def table_statistics(self) -> tuple[Statistic, ...]:
        """Those of the whole table, in the order in which they are shown."""
        icc = (self.icc,) if self.icc else ()
        chance_corrected = (self.fleiss, *self.alphas.values(), self.ac1, *icc, self.cohen_mean)
        return (self.percent, self.all_agree, *chance_corrected)

    @property
    def alpha(self) -> Statistic:
        """Krippendorff's alpha on the table's own scale."""
        return self.alphas[self.table.scale]


def agreement_of(table: LabelTable) -> Agreement:
    """All of them; 10,000 items of three raters take some seconds, most of them for the intervals."""
    numbers = table.scale != "nominal"
    scales: list[Scale] = [table.scale, *(("ordinal", "interval", "nominal") if numbers else ())]
    alphas = _with_alphas(table, dict.fromkeys(scales))
    kappas = cohen_kappas(table)
    cohen, mean = _with_kappas(table, kappas, None)
    statistics = _with_others(table)
    return Agreement(
        table=table,
        percent=statistics["percent"],
        all_agree=statistics["all_agree"],
        cohen=cohen,
        cohen_mean=mean,
        weighted_kappas={
            weights: _with_kappas(table, cohen_kappas(table, weights), weights)[0]
            for weights in (("linear", "quadratic") if numbers else ())
        },
        fleiss=statistics["fleiss"],
        alphas=alphas,
        ac1=statistics["ac1"],
        icc=statistics.get("icc"),
    )


def percent_and_alpha(table: LabelTable) -> tuple[Statistic, Statistic]:
    """The two figures of a part of a table, with their intervals."""
    statistics = resampling.with_intervals(
        len(table.items),
        {
            "percent": (percent_agreement(table), resampling.percent(table)),
            "alpha": (krippendorff_alpha(table), resampling.alpha(table, table.scale)),
        },
    )
    return statistics["percent"], statistics["alpha"]


def _with_others(table: LabelTable) -> dict[str, Statistic]:
    chosen, _size, _remarks = _of_commonest(table)
    figures = {
        "percent": (percent_agreement(table), resampling.percent(table)),
        "all_agree": (all_agree(table), resampling.all_agree(table, chosen)),
        "fleiss": (fleiss_kappa(table), resampling.fleiss(table, chosen)),
        "ac1": (gwet_ac1(table), resampling.ac1(table)),
    }
    if table.scale != "nominal":
        statistics = icc_2k(table)
        figures["icc"] = (
            statistics,
            resampling.icc(*_whole_block(table)) if statistics.value is not None else _nothing,
        )
    return resampling.with_intervals(len(table.items), figures)


def _nothing(drawn: Floats) -> Floats:
    return np.full(len(drawn), np.nan)


def _with_alphas(table: LabelTable, scales: Iterable[Scale]) -> dict[Scale, Statistic]:
    figures = {scale: (krippendorff_alpha(table, scale), resampling.alpha(table, scale)) for scale in scales}
    return resampling.with_intervals(len(table.items), figures)


def _with_kappas(
    table: LabelTable, kappas: Mapping[RaterPair, Statistic], weights: Weights | None
) -> tuple[dict[RaterPair, Statistic], Statistic]:
    """Kappas with intervals, and their mean; without intervals where there are more than MOST_INTERVALS."""
    mean = mean_kappa(kappas)
    defined = [pair for pair, kappa in kappas.items() if kappa.value is not None]
    if not defined or len(defined) > MOST_INTERVALS:
        return dict(kappas), mean
    codes, at = resampling.codes_by_rater(table), {name: n for n, name in enumerate(table.raters)}
    values = table.values - table.values.mean() if weights else np.zeros(len(table.labels))
    figures = {
        pair: resampling.kappa(table, codes[at[pair[0]]], codes[at[pair[1]]], values, weights)
        for pair in defined
    }
    given: dict[RaterPair, tuple[Statistic, Figure]] = {
        pair: (kappas[pair], figures[pair]) for pair in defined
    }
    statistics = resampling.with_intervals(
        len(table.items), {**given, _MEAN: (mean, resampling.mean_of(figures.values()))}
    )
    return {pair: statistics.get(pair, kappa) for pair, kappa in kappas.items()}, statistics[_MEAN]
