"""Tools that answer as they were recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from benchmark.cassettes.cassette import Cassette
from benchmark.cassettes.departure import Departure, EndOfCassette
from benchmark.cassettes.wording import both, same
from benchmark.conversation.events import ToolReturned
from sandbox.toolbox import ToolOutcome

_OUTCOME = TypeAdapter(ToolOutcome)


@dataclass
class CassetteTools:
    """The sandbox of a session that is run again.

    position: how many tool results the session's log holds so far; calls of one step come before it moves.
    """

    cassette: Cassette
    position: Callable[[], int]
    _from: int = -1
    _given: int = field(default=0)

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """The recorded answer to the next call.

        Raises:
            Departure: it is not the call that was recorded.
        """
        number = self._next()
        where = f"tool call {number} ({name}) departs from the recording"
        results = self.cassette.tool_results
        recorded = results[number - 1] if number <= len(results) else None
        if recorded is None:
            raise EndOfCassette(f"{where}: the cassette is at its end, it holds {len(results)} tool calls")
        if name != recorded.name:
            raise Departure(f"{where}: recorded {recorded.name}, now {name}")
        if not same(arguments, recorded.arguments):
            was, is_now = both(recorded.arguments, arguments)
            raise Departure(f"{where}: the arguments differ: recorded {was}, now {is_now}")
        if recorded.returned is None:
            raise EndOfCassette(f"{where}: the session ended before it was answered")
        return _outcome(recorded.returned)

    def _next(self) -> int:
        done = self.position()
        self._from, self._given = done, self._given + 1 if done == self._from else 1
        return done + self._given


def _outcome(returned: ToolReturned) -> ToolOutcome:
    recorded = returned.model_dump(include=set(ToolOutcome.__dataclass_fields__))
    return _OUTCOME.validate_python(recorded)
