"""The kinds of index: both keep vectors as 16-bit floats and compare by inner product."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import faiss

IndexKind = Literal["exact", "approximate"]
"""exact: a call is compared with every entry. approximate: with those of the clusters nearest to it."""

CLUSTERS_SEARCHED = 16
EXACT_BELOW = 4_000
"""Entries up to which an approximate index is an exact one: there is nothing to gain."""

_PORTION = 20_000
"""Rows that are widened to 32 bits at a time."""


def make_index(kind: IndexKind, rows: NDArray[np.float16]) -> faiss.Index:
    """An index of rows of length 1, (n, dimension); n is at least 1.

    A clustered one is an inverted file with about √n clusters, learned from an even sample of the rows.
    """
    import faiss  # which takes a tenth of the start of a process, and few processes search

    faiss.omp_set_num_threads(1)  # of this thread; a build takes seconds, and gives the same on every machine
    count, dimension = rows.shape
    layout = (faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    index: faiss.Index = faiss.IndexScalarQuantizer(dimension, *layout)
    if kind == "approximate" and count >= EXACT_BELOW:
        clusters = isqrt(count)
        coarse = faiss.IndexFlatIP(dimension)
        index = clustered = faiss.IndexIVFScalarQuantizer(coarse, dimension, clusters, *layout, False)
        clustered.nprobe = CLUSTERS_SEARCHED
        clustered.train(rows[:: max(1, count // (100 * clusters))].astype(np.float32))
    for start in range(0, count, _PORTION):
        index.add(rows[start : start + _PORTION].astype(np.float32))
    return index
