"""What stands in for models and tools when a session is run again."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.cassettes import Cassette, CassetteModel, CassetteTools
from benchmark.conversation.engine import Step
from benchmark.conversation.state import SessionState
from benchmark.models import ModelSetup
from webapp.cassettes.selectors import cassette_of
from webapp.sessions.models import Session


@dataclass(frozen=True)
class Playback:
    """A cassette at the place that a session's log has reached: `state` is the one that grows with it."""

    cassette: Cassette
    state: SessionState
    tools: CassetteTools

    def model(self, seat: str, setup: ModelSetup) -> CassetteModel:
        """What answers the participant at `seat`."""
        return CassetteModel(setup, self.cassette, seat, lambda: self.state.model_calls)

    def end(self, failure: Exception | None = None) -> Step | None:
        """The recorded end, where the session ended here for a reason outside it: see `Cassette.ending_at`."""
        return self.cassette.ending_at(self.state.seq, failure)


def table_of_replay(session: Session, state: SessionState) -> Playback:
    """The models and tools of a session that replays another, wherever it stands."""
    cassette = cassette_of(session)
    return Playback(cassette, state, CassetteTools(cassette, lambda: tool_results(state)))


def tool_results(state: SessionState) -> int:
    """How many tool results a log holds."""
    return sum(state.loop.calls.values()) - len(state.loop.waiting)
