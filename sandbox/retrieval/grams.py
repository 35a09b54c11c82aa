"""Text as hashed grams: texts that share characters and pairs of them are near, in whatever order the words stand."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

GRAM_WEIGHTS = (0.6, 1.0, 0.5)
"""Of a character, of two neighbours, of three."""
COMMON_WEIGHT = 0.3
"""Of a character that says little, and what a gram is multiplied by for each of them in it."""

_COMMON = np.array(sorted(map(ord, "市区县省镇乡村路街号店站馆附近周边旁里的与和总分")), dtype=np.uint64)
_SPACE = ord(" ")
_PROBES = 4
_MULTIPLIERS = tuple(np.uint64(each) for each in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
_MIX = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
_SHIFT = np.uint64(33)


@lru_cache(maxsize=4096)
def spell(text: str) -> str:
    """Letters and digits, plain and case folded, with a space for whatever stands between them."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())


@lru_cache(maxsize=4096)
def salt(field: str) -> int:
    """64 bits that belong to a field, so that the same word in two fields is two things."""
    return int.from_bytes(blake2b(field.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def gram_vectors(fields: Sequence[str], texts: Sequence[str], dimension: int) -> NDArray[np.float64]:
    """A row of length 1 for each text, (len(texts), dimension); zeros where a text has neither letter nor digit."""
    spelled = [spell(text) for text in texts]
    codes = np.frombuffer(" ".join([*spelled, ""]).encode("utf-32-le", "replace"), dtype=np.uint32)
    owners = np.repeat(np.arange(len(texts)), [len(each) + 1 for each in spelled])
    salts = np.array([salt(field) for field in fields], dtype=np.uint64)
    flat = np.zeros(len(texts) * dimension)
    for hashes, weights, rows in _grams(codes.astype(np.uint64), owners, salts):
        for place, signed in _probes(hashes, weights, dimension):
            flat += np.bincount(rows * dimension + place, weights=signed, minlength=flat.size)
    return unit_rows(flat.reshape(len(texts), dimension))


_Grams = list[tuple[NDArray[np.uint64], NDArray[np.float64], NDArray[np.int64]]]


def _grams(codes: NDArray[np.uint64], owners: NDArray[np.int64], salts: NDArray[np.uint64]) -> _Grams:
    """Hash, weight and text of every gram within a word, by length."""
    counts = np.where(np.isin(codes, _COMMON), COMMON_WEIGHT, 1.0) * (codes != _SPACE)
    hashes, weights, grams = salts[owners], np.ones(len(codes)), []
    for at, weight in enumerate(GRAM_WEIGHTS):
        end = len(codes) - at
        hashes = _mix(hashes[:end] + codes[at:] * _MULTIPLIERS[at])
        weights = weights[:end] * counts[at:]
        real = np.flatnonzero(weights)
        grams.append((hashes[real], weights[real] * weight, owners[real]))
    return grams


def _mix(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalising steps of MurmurHash3: every bit of the input moves every bit of the output."""
    for multiplier in _MIX:
        hashes = (hashes ^ (hashes >> _SHIFT)) * multiplier
    return hashes ^ (hashes >> _SHIFT)


def _probes(
    hashes: NDArray[np.uint64], weights: NDArray[np.float64], dimension: int
) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Several signed places for each gram, so that no two grams collide in all of them."""
    probes = []
    for at in range(_PROBES):
        place = ((hashes >> np.uint64(12 * at)) & np.uint64(0xFFF)) % np.uint64(dimension)
        negative = (hashes >> np.uint64(60 + at)) & np.uint64(1)
        probes.append((place.astype(np.int64), np.where(negative == 1, -weights, weights)))
    return probes


def unit_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row brought to length 1; one of zeros stays."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    unit: NDArray[np.float64] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
