"""What came from outside during a session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmark.conversation.engine import Step
from benchmark.conversation.events import ErrorRaised, Event, SessionFinished, ToolCalled, ToolReturned
from benchmark.models.exchange import Exchange


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool call of the session; `returned` is None where the session ended before there was an answer."""

    name: str
    arguments: dict[str, Any] | str
    returned: ToolReturned | None


@dataclass(frozen=True)
class Cassette:
    """A session's whole log, which holds its tool results, and its model exchanges.

    session: its id. agent, users: the kinds of participants. exchanges: in the order of their numbers.
    """

    session: str
    agent: str
    users: str
    log: tuple[Event, ...]
    exchanges: tuple[Exchange, ...] = ()

    @cached_property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """The tool calls in order, with their answers."""
        answers = {e.body.call_id: e.body for e in self.log if isinstance(e.body, ToolReturned)}
        asked = (e.body for e in self.log if isinstance(e.body, ToolCalled))
        return tuple(ToolResult(call.name, call.arguments, answers.get(call.call_id)) for call in asked)

    @cached_property
    def opening(self) -> tuple[Event, ...]:
        """The events of the session's first step: all before the first turn is granted, or before its end."""
        return tuple(self._until({"turn_granted", "error_raised", "session_finished"}))

    def exchange(self, number: int) -> Exchange | None:
        """The exchange of this number, None where there is none."""
        return self._numbered.get(number)

    def ending_at(self, seq: int, failure: Exception | None = None) -> Step | None:
        """The session's recorded end, when nothing inside it would end it after event `seq` and it ended there.

        That is so when a researcher stopped it, and when it crashed where the cassette has nothing more to give
        (`failure` is the `EndOfCassette`): its tools or its workers were lost.
        """
        last = [event for event in self.log[-2:] if isinstance(event.body, ErrorRaised | SessionFinished)]
        if not last or last[0].seq != seq + 1 or not isinstance(last[-1].body, SessionFinished):
            return None
        if last[-1].body.reason == "stopped" or getattr(failure, "at_end", False):
            return Step(last[0].actor, tuple(event.body for event in last))
        return None

    def _until(self, types: set[str]) -> Iterator[Event]:
        for event in self.log:
            if event.body.type in types:
                return
            yield event

    @cached_property
    def _numbered(self) -> Mapping[int, Exchange]:
        return {exchange.number: exchange for exchange in self.exchanges}
