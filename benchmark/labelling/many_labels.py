"""Krippendorff's alpha of tables with any number of different labels.

Its textbook form keeps labels × labels numbers of each item, and a column of prices has thousands of labels. Here
time and memory grow with the number of ratings. The values are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.tables import LabelTable, Scale

Floats = NDArray[np.float64]


def krippendorff_alpha(table: LabelTable, chosen: NDArray[np.bool_], values: Floats, scale: Scale) -> float:
    """Of the chosen items, which have two ratings and together two labels at least (Krippendorff 2011).

    values: the labels as numbers. The ordinal distance of two labels is that of their mean ranks, so that it is the
    interval alpha of those.
    """
    items, codes, counts = _cells(table, chosen)
    of_label = np.bincount(codes, weights=counts, minlength=len(values))
    ratings = np.bincount(items, weights=counts)[items]
    if scale == "nominal":
        observed = (counts * (ratings - counts) / (ratings - 1)).sum()
        expected = (of_label * (of_label.sum() - of_label)).sum() / (of_label.sum() - 1)
        return float(1 - observed / expected)
    points = np.cumsum(of_label) - of_label / 2 if scale == "ordinal" else values
    observed = (_spread(items, points[codes], counts) * 2 * ratings / (ratings - 1)).sum()
    expected = 2 * (_spread(np.zeros(len(codes), np.int64), points[codes], counts)).sum()
    return float(1 - observed * (of_label.sum() - 1) / (expected * of_label.sum()))


def _cells(
    table: LabelTable, chosen: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """As the table's cells, of the chosen items, numbered from 0."""
    items, codes, counts = table.cells
    kept = chosen[items]
    return (np.cumsum(chosen) - 1)[items[kept]], codes[kept], counts[kept].astype(float)


def _spread(groups: NDArray[np.int64], points: Floats, counts: Floats) -> Floats:
    """The squared distance of each point from the mean of its group, times its count."""
    means = np.bincount(groups, weights=points * counts) / np.bincount(groups, weights=counts)
    spread: Floats = counts * (points - means[groups]) ** 2
    return spread
