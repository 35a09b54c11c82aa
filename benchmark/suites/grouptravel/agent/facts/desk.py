"""What answering needs: the trip, and what tools have said."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.core.actions import ToolCall
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.lexicon.phrases import phrases
from benchmark.suites.grouptravel.agent.results import result_of
from sandbox.tools.results import T


@dataclass(frozen=True, slots=True)
class Desk:
    """The trip and the log of what tools have said."""

    brief: Brief
    tool_log: tuple[ToolEntry, ...]

    def result(self, model: type[T], call: ToolCall) -> T:
        """What a call has returned; with nothing in it when it failed or has not been made."""
        return result_of(model, call, self.tool_log)

    def was_made(self, call: ToolCall) -> bool:
        """Whether the log holds a call."""
        return any((entry.name, entry.arguments) == (call.name, call.arguments) for entry in self.tool_log)

    def say(self, key: str, **values: object) -> str:
        """A phrase of fact."""
        return phrases(self.brief.language).facts[key].format(**values)
