"""What `isolated` asks when the cache knows nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sandbox.calls import Example
from sandbox.toolbox.validation import ValidCall
from sandbox.tools.language import Language


class Simulator(Protocol):
    """Makes up the answer to a call from real answers to similar ones. Threads may share it."""

    @property
    def id(self) -> str:
        """What has to be the same for two runs to be comparable: "nearest-1", or "model:MODEL:PROMPT VERSION"."""
        ...

    def simulate(self, valid: ValidCall, examples: Sequence[Example], language: Language) -> str:
        """The result text. examples: at least one, best first.

        Raises:
            ToolFailure: of kind `simulator`, `schema` or `timeout`.
        """
        ...
