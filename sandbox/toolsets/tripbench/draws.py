"""Figures that nobody knows, drawn so that the same thing always has the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sandbox.worlds.timetable import draw

T = TypeVar("T")
_ID_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Draws:
    """The figures of one thing. id: of the thing; each figure depends on it and on its own name alone."""

    id: str

    def share(self, name: str) -> float:
        """From 0 to 1."""
        return draw("tripbench", self.id, name)

    def figure(self, name: str, low: float, high: float) -> float:
        """A figure between two others."""
        return low + (high - low) * self.share(name)

    def happens(self, name: str, probability: float) -> bool:
        """Whether something is so."""
        return self.share(name) < probability

    def choose(self, name: str, choices: Sequence[T]) -> T:
        """One of several, each as likely."""
        return choices[int(self.share(name) * len(choices))]

    def product_id(self, name: str) -> str:
        """The id of one of its products."""
        return "P" + hashlib.sha256(f"{self.id}\x1f{name}".encode()).hexdigest()[:_ID_DIGITS]
