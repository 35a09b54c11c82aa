"""Several sequences in rows: items that are alike enough share one, and each sequence keeps its order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")
Row = tuple[Item | None, ...]
"""What stands in the same place of each sequence, None where one has nothing there."""
Similarities = NDArray[np.float64]
"""How alike each of some items (rows) is to each of others (columns): from 0, which are never paired, to 1."""


def align_sequences(
    sequences: Sequence[Sequence[Item]],
    similarities_of: Callable[[Sequence[Item], Sequence[Item]], Similarities],
) -> list[Row[Item]]:
    """Rows in which each item of each sequence stands once, in its order.

    The first sequence is the base. Each later one is aligned with the rows so far: with the item of the base, or in a
    row without one with that of the earliest sequence. Of all ways of pairing, one with the largest sum of
    similarities is taken. It takes time and room by the product of two lengths.
    """
    rows: list[Row[Item]] = [(item,) for item in sequences[0]] if sequences else []
    for number, later in enumerate(sequences[1:], 1):
        rows = _add_sequence(rows, later, number, similarities_of)
    return rows


def first_item(row: Row[Item]) -> Item:
    """The item of a row that the others of it are compared with."""
    return next(item for item in row if item is not None)


def _add_sequence(
    rows: Sequence[Row[Item]],
    later: Sequence[Item],
    number: int,
    similarities_of: Callable[[Sequence[Item], Sequence[Item]], Similarities],
) -> list[Row[Item]]:
    nothing: Row[Item] = (None,) * number
    if not rows or not later:
        return [*((*row, None) for row in rows), *((*nothing, item) for item in later)]
    pairs = dict(best_pairs(similarities_of([first_item(row) for row in rows], later)))
    added: list[Row[Item]] = []
    begin = 0
    for place, row in enumerate(rows):
        if place not in pairs:
            added.append((*row, None))
            continue
        added += [(*nothing, item) for item in later[begin : pairs[place]]]
        added.append((*row, later[pairs[place]]))
        begin = pairs[place] + 1
    return [*added, *((*nothing, item) for item in later[begin:])]


def best_pairs(similarities: Similarities) -> list[tuple[int, int]]:
    """Places of rows and columns that are paired, both rising, so that the sum of similarities is the largest.

    Of several such ways, one that pairs early.
    """
    height, width = similarities.shape
    sums = np.zeros((height + 1, width + 1))
    for row in range(height - 1, -1, -1):
        best = np.maximum(sums[row + 1, :-1], sums[row + 1, 1:] + similarities[row])
        sums[row, :-1] = np.maximum.accumulate(best[::-1])[::-1]
    pairs, row, column = [], 0, 0
    while row < height and column < width:
        alike = similarities[row, column]
        if alike > 0 and sums[row, column] == sums[row + 1, column + 1] + alike:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif sums[row, column] == sums[row + 1, column]:
            row += 1
        else:
            column += 1
    return pairs
