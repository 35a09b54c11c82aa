"""Values on a scale as waves: near values give near vectors, at several scales at once.

The inner product of two rows is the mean of cos(2π · difference / wavelength) over the wavelengths: a kernel that
falls with the difference and depends on nothing else (random Fourier features, Rahimi and Recht 2007, with
wavelengths in a fixed progression instead of random ones).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sandbox.retrieval.values import Position, Scale

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
