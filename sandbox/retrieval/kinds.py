"""The kinds of index: both keep vectors as 16-bit floats and compare by inner product."""

from __future__ import annotations

from math import isqrt
from typing import Literal

import faiss
import numpy as np
from numpy.typing import NDArray

IndexKind = Literal["exact", "approximate"]
"""exact: a call is compared with every entry. approximate: with those of the clusters nearest to it."""

CLUSTERS_SEARCHED = 16
EXACT_BELOW = 4_000
"""Entries up to which an approximate index is an exact one: there is nothing to gain."""

_HALF = faiss.ScalarQuantizer.QT_fp16
_PORTION = 20_000
"""Rows that are widened to 32 bits at a time."""


def make_index(kind: IndexKind, rows: NDArray[np.float16]) -> faiss.Index:
    """An index of rows of length 1, (n, dimension); n is at least 1."""
    faiss.omp_set_num_threads(1)  # of this thread; a build takes seconds, and gives the same on every machine
    clustered = kind == "approximate" and len(rows) >= EXACT_BELOW
    index = _clustered(rows) if clustered else _flat(rows.shape[1])
    for start in range(0, len(rows), _PORTION):
        index.add(rows[start : start + _PORTION].astype(np.float32))
    return index


def _flat(dimension: int) -> faiss.Index:
    return faiss.IndexScalarQuantizer(dimension, _HALF, faiss.METRIC_INNER_PRODUCT)


def _clustered(rows: NDArray[np.float16]) -> faiss.Index:
    """An inverted file with about √n clusters, learned from an even sample of the rows."""
    count, dimension = rows.shape
    clusters = isqrt(count)
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(dimension), dimension, clusters, _HALF, faiss.METRIC_INNER_PRODUCT, False
    )
    index.nprobe = CLUSTERS_SEARCHED
    index.train(rows[:: max(1, count // (100 * clusters))].astype(np.float32))
    return index
