"""What stands in for models and tools when a session is run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmark.cassettes import Cassette, CassetteModel, CassetteTools
from benchmark.core.engine import Step
from benchmark.core.state import SessionState
from benchmark.models import ChatRequest, Model, ModelSetup, Reply


@dataclass(frozen=True)
class Playback:
    """A cassette at the place that a session's log has reached: `state` is the one that grows with it.

    pending: how many requests to models the step in flight has made.
    """

    cassette: Cassette
    state: SessionState
    pending: Callable[[], int]

    def model(self, seat: str, setup: ModelSetup) -> CassetteModel:
        """What answers the participant at `seat`."""
        return CassetteModel(setup, self.cassette, seat, self._call_count)

    def tools(self, simulator: Model | None) -> CassetteTools:
        """The recorded tools. simulator: what asks the requests again that a model was asked to answer tool calls."""
        return CassetteTools(self.cassette, lambda: tool_results(self.state), self._call_count, simulator)

    def _call_count(self) -> int:
        return self.state.model_calls + self.pending()

    def end(self, failure: Exception | None = None) -> Step | None:
        """The recorded end, where the session ended here for a reason outside it: see `Cassette.ending_at`."""
        return self.cassette.ending_at(self.state.seq, failure)

    def outside_step(self) -> Step | None:
        """What came from outside the step loop here."""
        return self.cassette.outside_at(self.state.seq)


@dataclass(frozen=True, slots=True)
class AnsweredModel:
    """A model of which one request is answered already.

    number: of that request in the session. position: how many model calls the session's log holds so far, with those
    of the step in flight.
    """

    model: Model
    number: int
    reply: Reply
    position: Callable[[], int]

    @property
    def setup(self) -> ModelSetup:
        """That of the model."""
        return self.model.setup

    def ask(self, request: ChatRequest) -> Reply:
        """The reply that is there, or the model's own. Raises as the model does."""
        return self.reply if self.position() + 1 == self.number else self.model.ask(request)


def tool_results(state: SessionState) -> int:
    """How many tool results a log holds."""
    return sum(state.loop.calls.values()) - len(state.loop.waiting)
