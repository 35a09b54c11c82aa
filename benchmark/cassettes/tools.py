"""Tools that answer as they were recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from benchmark.cassettes.cassette import Cassette, ToolResult
from benchmark.cassettes.mismatch import EndOfCassette, Mismatch
from benchmark.cassettes.wording import both, same
from benchmark.core.events import ToolReturned
from benchmark.core.view import SIMULATOR
from benchmark.models import Model, ModelFailure
from sandbox.toolbox import ToolOutcome

_OUTCOME = TypeAdapter(ToolOutcome)


@dataclass
class CassetteTools:
    """The sandbox of a session that is run again.

    position: how many tool results the session's log holds so far; calls of one step come before it moves.
    count_requests: how many requests to models there were so far, those of the step in flight with them. simulator:
    what asks the recorded requests of a model that answered tool calls.
    """

    cassette: Cassette
    position: Callable[[], int]
    count_requests: Callable[[], int] = lambda: 0
    simulator: Model | None = None
    _from: int = -1
    _given: int = field(default=0)

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """The recorded answer to the next call.

        Raises:
            ModelFailure: a model that answered tools failed at it when it was recorded.
            Mismatch: it is not the call that was recorded.
        """
        number = self._next()
        where = f"tool call {number} ({name}) departs from the recording"
        results = self.cassette.tool_results
        recorded = results[number - 1] if number <= len(results) else None
        if recorded is None:
            raise EndOfCassette(f"{where}: the cassette is at its end, it holds {len(results)} tool calls")
        if name != recorded.name:
            raise Mismatch(f"{where}: recorded {recorded.name}, now {name}")
        if not same(arguments, recorded.arguments):
            was, is_now = both(recorded.arguments, arguments)
            raise Mismatch(f"{where}: the arguments differ: recorded {was}, now {is_now}")
        self._ask_again(recorded)
        if recorded.answer is None:
            raise EndOfCassette(f"{where}: the session ended before it was answered")
        return replace(_outcome(recorded.answer), asked_model=self.cassette.simulates_by_model)

    def _ask_again(self, recorded: ToolResult) -> None:
        """The requests that were made for a call, to the letter: what they were made from is not here.

        Raises:
            ModelFailure: one failed when it was recorded, and was not the last before the tool's answer.
        """
        while self.simulator is not None and self.count_requests() < recorded.asked:
            exchange = self.cassette.exchange(self.count_requests() + 1)
            if exchange is None or exchange.seat != SIMULATOR:
                return
            try:
                self.simulator.ask(exchange.request)
            except ModelFailure:
                if recorded.answer is None or self.count_requests() < recorded.asked:
                    self._given -= 1  # the call is made again
                    raise

    def _next(self) -> int:
        done = self.position()
        self._from, self._given = done, self._given + 1 if done == self._from else 1
        return done + self._given


def _outcome(returned: ToolReturned) -> ToolOutcome:
    recorded = returned.model_dump(include=set(ToolOutcome.__dataclass_fields__))
    return _OUTCOME.validate_python(recorded)
