"""What `isolated` asks when the cache knows nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sandbox.calls import Call, Example
from sandbox.toolbox.validation import ValidCall
from sandbox.tools.language import Language

Similar = Callable[[Call], Sequence[Example]]
"""The cached calls that are most similar to a call of any tool, best first; none where the tool has none."""


@dataclass(frozen=True, slots=True)
class Question:
    """A call that is not cached. examples: the most similar cached calls of its tool, at least one, best first."""

    valid: ValidCall
    examples: Sequence[Example]
    language: Language
    similar: Similar


class Simulator(Protocol):
    """Answers a call from real answers to similar ones. Threads may share it."""

    @property
    def id(self) -> str:
        """What has to be the same for two runs to be comparable: "nearest-2", or "model:MODEL:PROMPT VERSION"."""
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
