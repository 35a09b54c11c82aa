"""The built-in simulator: cached records of the very thing asked for, fitted to the call's other arguments."""

from __future__ import annotations

from typing import Protocol

from sandbox.tools.errors import ToolFailure
from sandbox.tools.language import Says
from sandbox.toolsets.base import Question

_NOT_BUILT_IN = Says(
    "内置模拟器无法回答这个工具；请改用其他工具",
    "The built-in simulator has no answers for this tool; use another one",
)


class NearestSimulator:
    """Never answers for another place, city, day or pair of cities than the call's (docs/decisions/0023, 0031).

    Where nothing is cached of these, the answer is the tool's own that it found nothing. Filters, order and page are
    fitted to the call; a route between known points is computed. The same input gives the same bytes.
    """

    id = "nearest-3"
    asks_model = False

    def simulate(self, question: Question) -> str:
        """The answer, which looks as the tool's own.

        Raises:
            BadArgument, ToolFailure: as `Simulator`.
        """
        answer = question.valid.toolset.nearest.get(question.valid.tool.name)
        if answer is None:
            raise ToolFailure("simulator", _NOT_BUILT_IN)
        return answer(question)


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
