"""Rows of a comparison in stretches, so that what is the same everywhere is folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Stretch(Generic[Line]):
    """Lines after one another. alike: all sessions have them, and have them alike."""

    alike: bool
    lines: Sequence[Line]


def stretches_of(lines: Iterable[Line], is_alike: Callable[[Line], bool]) -> list[Stretch[Line]]:
    """All lines in their order, alike ones and others by turns."""
    return [Stretch(alike, list(group)) for alike, group in groupby(lines, key=is_alike)]
