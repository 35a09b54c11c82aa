"""Simulated answers that stand for the length of a run."""

from __future__ import annotations

from typing import Protocol

from sandbox.calls import Call
from sandbox.toolbox.outcome import Answer


class Pins(Protocol):
    """Holds what was simulated once in a run, so that the same call gets the same bytes again.

    Even a model at temperature 0 may vary. Pins are kept outside the cache, which holds real answers only.
    """

    def get(self, call: Call) -> Answer | None:
        """What was answered to this call before in this run."""
        ...

    def pin(self, call: Call, answer: Answer) -> Answer:
        """Keep an answer unless another session of the run was first; returns the one that stands."""
        ...
