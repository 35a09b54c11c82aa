"""The line from a session's seats to their models: every request goes over it, whatever answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmark.core.events import ModelCalled
from benchmark.core.model_calls import model_called
from benchmark.models import ChatRequest, Model, ModelFailure, ModelSetup, Reply
from benchmark.models.exchange import Exchange, Failure


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A request that was made in a step, and its reply or why there is none."""

    seat: str
    setup: ModelSetup
    request: ChatRequest
    outcome: Reply | ModelFailure

    def event(self, attempt: int, retry_in_s: float | None = None) -> ModelCalled:
        """Its event. retry_in_s: the pause before the next, None where there is none."""
        return model_called(
            self.seat, self.setup, self.request, self.outcome, attempt=attempt, retry_in_s=retry_in_s
        )


def exchanges(calls: Iterable[ModelCall], first: int) -> list[Exchange]:
    """Requests as a cassette keeps them, numbered from `first`."""
    return [_exchange(call, number) for number, call in enumerate(calls, first)]


def _exchange(call: ModelCall, number: int) -> Exchange:
    if isinstance(call.outcome, ModelFailure):
        return Exchange(number, call.seat, call.request, failure=Failure.of(call.outcome))
    return Exchange(number, call.seat, call.request, reply=call.outcome)


@dataclass
class Line:
    """What a session's seats ask through.

    calls: of the step in flight, for its events and its cassette. endpoints: the names of all that were asked.
    """

    calls: list[ModelCall] = field(default_factory=list)
    endpoints: set[str] = field(default_factory=set)

    def take_calls(self) -> list[ModelCall]:
        """The calls since the last time."""
        calls, self.calls = self.calls, []
        return calls


@dataclass(frozen=True, slots=True)
class SeatModel:
    """A seat's model, whatever answers: a server or a cassette. Every request goes on the line."""

    seat: str
    model: Model
    line: Line

    @property
    def setup(self) -> ModelSetup:
        return self.model.setup

    def ask(self, request: ChatRequest) -> Reply:
        """One answer, or the failure that it met."""
        try:
            reply = self.model.ask(request)
        except ModelFailure as failure:
            self._note(request, failure)
            raise
        self._note(request, reply)
        return reply

    def _note(self, request: ChatRequest, outcome: Reply | ModelFailure) -> None:
        self.line.endpoints.add(self.setup.name)
        self.line.calls.append(ModelCall(self.seat, self.setup, request, outcome))
