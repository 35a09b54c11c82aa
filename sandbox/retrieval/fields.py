"""The built-in embedder: field by field, with no network, no model and nothing learned from the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sandbox.calls import Call
from sandbox.retrieval.embedder import Vectors
from sandbox.retrieval.grams import gram_vectors, unit_rows
from sandbox.retrieval.values import Position, Scale, Words, values

VERSION = 1
DIMENSION = 128

TEXT_WEIGHT = 1.0
SCALE_WEIGHTS: dict[Scale, float] = {"place": 1.0, "day": 0.5, "clock": 0.2, "number": 0.12, "choice": 0.2}
"""How much a field counts: words and places decide, the rest orders what they leave equal."""


class FieldsEmbedder:
    """A call as the weighted sum of its fields' vectors, brought to length 1.

    Text becomes hashed grams; places, dates, times and numbers become waves. Fields are told apart by their names,
    and what they hold by its shape, so that a tool nobody has heard of works as well.
    """

    batch = 1024

    def __init__(self, dimension: int = DIMENSION) -> None:
        if dimension < 2 or dimension % 2:
            raise ValueError(f"the dimension must be even and at least 2, not {dimension}")
        self.dimension = dimension
        self.id = f"fields-{VERSION}-{dimension}"

    def embed(self, calls: Sequence[Call]) -> Vectors:
        """A row of length 1 for each call; the same on every machine."""
        values_by_row = [(row, value) for row, call in enumerate(calls) for value in values(call.arguments)]
        sums = np.zeros((len(calls), self.dimension))
        self._add_words(sums, [(row, value) for row, value in values_by_row if isinstance(value, Words)])
        self._add_positions(
            sums, [(row, value) for row, value in values_by_row if isinstance(value, Position)]
        )
        sums[~sums.any(axis=1), 0] = 1.0
        return unit_rows(sums).astype(np.float32)

    def _add_words(self, sums: NDArray[np.float64], words: list[tuple[int, Words]]) -> None:
        if words:
            fields, texts = [each.field for _, each in words], [each.text for _, each in words]
            grams = gram_vectors(fields, texts, self.dimension)
            np.add.at(sums, [row for row, _ in words], TEXT_WEIGHT * grams)

    def _add_positions(self, sums: NDArray[np.float64], positions: list[tuple[int, Position]]) -> None:
        if positions:
            weights = np.array([SCALE_WEIGHTS[each.scale] for _, each in positions])
            waves = wave_vectors([each for _, each in positions], self.dimension)
            np.add.at(sums, [row for row, _ in positions], weights[:, None] * waves)


WAVELENGTHS: dict[Scale, tuple[float, float]] = {
    "place": (0.006, 3.0),
    "day": (9.0, 900.0),
    "clock": (8.0, 60.0),
    "number": (1.0, 30.0),
    "choice": (1.0, 1.0),
}
"""Shortest and longest, in the unit of the scale: degrees (of about 100 km), days, hours, natural logarithms."""

_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


@lru_cache(maxsize=32)
def _frequencies(scale: Scale, count: int) -> NDArray[np.float64]:
    """(2, count) cycles per unit along x and y; directions turn by the golden angle so that none is favoured."""
    lengths = np.geomspace(*WAVELENGTHS[scale], count)
    turns = np.arange(count) * _GOLDEN_ANGLE if scale == "place" else np.zeros(count)
    cycles: NDArray[np.float64] = np.stack([np.cos(turns), np.sin(turns)]) / lengths
    return cycles


@lru_cache(maxsize=4096)
def _phases(field: str, count: int) -> NDArray[np.float64]:
    """Shifts that belong to a field, in cycles, so that the same value in two fields is two things."""
    digest = hashlib.shake_256(field.encode("utf-8", "replace")).digest(2 * count)
    return np.frombuffer(digest, dtype="<u2").astype(np.float64) / 65536


def wave_vectors(positions: Sequence[Position], dimension: int) -> NDArray[np.float64]:
    """A row of length 1 for each position, (len(positions), dimension); dimension is even."""
    count = dimension // 2
    cycles = np.array([_phases(each.field, count) for each in positions])
    for scale in {each.scale for each in positions}:
        rows = [at for at, each in enumerate(positions) if each.scale == scale]
        points = np.array([(positions[at].x, positions[at].y) for at in rows])
        cycles[rows] += points @ _frequencies(scale, count)
    angles = (2 * np.pi * (cycles - np.floor(cycles))).astype(np.float32)
    waves = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    return waves.astype(np.float64) / float(np.sqrt(count))
