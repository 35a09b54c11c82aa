"""How the tasks of a benchmark, and its other data, are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmark.suites.base.lazy import Lazy

if TYPE_CHECKING:
    from benchmark.making import MakingSteps
    from benchmark.synthesis import Synthesis


@dataclass(frozen=True)
class Making:
    """How the data of a benchmark is made."""

    synthesis: Lazy[Synthesis] | None = None
    """What makes tasks of its own for any world; None where tasks come from files alone."""
    steps: Lazy[MakingSteps] | None = None
    """The steps by which the published data is made again (`manage.py make_tasks`)."""
