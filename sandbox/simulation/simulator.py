"""What `isolated` asks when the cache knows nothing."""

from __future__ import annotations

from typing import Protocol

from sandbox.toolsets.base import Question


class Simulator(Protocol):
    """Answers a call from real answers to similar ones. Threads may share it."""

    @property
    def id(self) -> str:
        """What has to be the same for two runs to be comparable: "nearest-3", or "model:MODEL:PROMPT VERSION"."""
        ...

    @property
    def asks_model(self) -> bool:
        """Whether it asks a model."""
        ...

    def simulate(self, question: Question) -> str:
        """The result text.

        Raises:
            BadArgument: a value that is well formed but that no cache could serve.
            ToolFailure: `unanswered`: nothing is known of what was asked for; else `simulator`, `schema`, `timeout`.
        """
        ...
