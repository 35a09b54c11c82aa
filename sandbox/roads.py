"""How far places are from each other by road, as whoever can tell it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sandbox.worlds.geo import Point


class RoadsUnavailable(Exception):
    """Nobody can tell now; the words say why, without a key."""


class Roads(Protocol):
    """A source of road distances."""

    def kilometres(self, origins: Sequence[Point], destination: Point) -> list[float | None]:
        """From each of the origins; None where no road leads there. Raises RoadsUnavailable."""
        ...
