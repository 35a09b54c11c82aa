"""How far the raters of a table agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling import many_labels
from benchmark.labelling.cohen import RaterPair, Weights, cohen_kappas, mean_kappa
from benchmark.labelling.statistic import Definition, Size, Statistic, undefined
from benchmark.labelling.tables import Codes, LabelTable, Scale
from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark

PERCENT = Definition(
    key="percent_agreement",
    name=_("pairwise agreement"),
    meaning=_("The share of equal ones among the pairs of ratings of the same item, pooled over items."),
    source="TripScore, appendix C.1",
    share=True,
)
ALL_AGREE = Definition(
    key="all_agree",
    name=_("agreement of all raters"),
    meaning=_(
        "The share of items whose ratings are all equal, among items with the commonest number of ratings."
    ),
    source="TripScore, appendix C.1",
    share=True,
)
FLEISS = Definition(
    key="fleiss_kappa",
    name=_("Fleiss' kappa"),
    meaning=_(
        "How far the raters of an item agree beyond what the shares of each label in all ratings give by chance, "
        "over items with the commonest number of ratings."
    ),
    source="Fleiss 1971",
)
ALPHA: Mapping[Scale, Definition] = {
    "nominal": Definition(
        key="krippendorff_alpha_nominal",
        name=_("Krippendorff's alpha, nominal"),
        meaning=_(
            "One less the observed over the expected disagreement of ratings, over items with at least two."
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

_NOT_TWO = _("no item has two ratings")
_ONE_LABEL = _("all ratings are the same label, so that none could be expected to differ")
_LEFT_OUT = _("items left out, with another number of ratings than %(ratings)s: %(items)s")
_ROOM = 5_000_000
"""Items × labels² for which the package is asked: it takes some 100 MB then, and ever more beyond."""


def percent_agreement(table: LabelTable) -> Statistic:
    """Over all pairs of ratings of one item; complete tables have the same mean by items and by pairs of raters."""
    _items, _codes, counts = table.cells
    pairs, size = table.rating_pairs, _pairable(table)
    if not pairs:
        return undefined(PERCENT, _NOT_TWO, size)
    return Statistic(PERCENT, int((counts * (counts - 1) // 2).sum()) / pairs, size)


def all_agree(table: LabelTable) -> Statistic:
    """TripScore's “three-rater agreement”, for any number of raters."""
    chosen, size, remarks = _of_commonest(table)
    if not chosen.any():
        return undefined(ALL_AGREE, _NOT_TWO, size)
    different = np.bincount(table.cells[0], minlength=len(table.items))
    return Statistic(ALL_AGREE, float((different[chosen] == 1).mean()), size, remarks=remarks)


def fleiss_kappa(table: LabelTable) -> Statistic:
    """Of the items with the commonest number of ratings; the larger number where two are as common."""
    chosen, size, remarks = _of_commonest(table)
    if not chosen.any():
        return undefined(FLEISS, _NOT_TWO, size)
    if _different_labels(table, chosen) < 2:
        return undefined(FLEISS, _ONE_LABEL, size)
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
        return undefined(ALPHA[scale], _NOT_TWO, size)
    if _different_labels(table, chosen) < 2:
        return undefined(ALPHA[scale], _ONE_LABEL, size)
    if len(table.items) * len(table.labels) ** 2 <= _ROOM:
        from krippendorff import alpha

        value = alpha(value_counts=table.counts(chosen), value_domain=values, level_of_measurement=scale)
    else:
        value = many_labels.krippendorff_alpha(table, chosen, values, scale)
    return Statistic(ALPHA[scale], float(value), size)


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

    weighted: Cohen's kappas by their weights, on scales of numbers.
    """

    table: LabelTable
    percent: Statistic
    all_agree: Statistic
    cohen: Mapping[RaterPair, Statistic]
    cohen_mean: Statistic
    weighted: Mapping[Weights, Mapping[RaterPair, Statistic]]
    fleiss: Statistic
    alphas: Mapping[Scale, Statistic]

    @property
    def alpha(self) -> Statistic:
        """Krippendorff's alpha on the table's own scale."""
        return self.alphas[self.table.scale]


def agreement_of(table: LabelTable) -> Agreement:
    """All of them; 10,000 items of three raters take about half a second, and a second more at the first time."""
    kappas = cohen_kappas(table)
    numbers = table.scale != "nominal"
    scales: list[Scale] = [table.scale, *(("ordinal", "interval", "nominal") if numbers else ())]
    return Agreement(
        table=table,
        percent=percent_agreement(table),
        all_agree=all_agree(table),
        cohen=kappas,
        cohen_mean=mean_kappa(kappas),
        weighted={one: cohen_kappas(table, one) for one in ("linear", "quadratic")} if numbers else {},
        fleiss=fleiss_kappa(table),
        alphas={scale: krippendorff_alpha(table, scale) for scale in dict.fromkeys(scales)},
    )
