"""What a benchmark is to the rest of Caravan."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.core.events import Kinds


@dataclass(frozen=True)
class Suite:
    """A benchmark.

    name: in the log and in the database; it never changes. kinds: of the events that its logs hold.
    """

    name: str
    kinds: Kinds
