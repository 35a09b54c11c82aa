"""A model that answers as it was recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmark.cassettes.cassette import Cassette
from benchmark.cassettes.mismatch import EndOfCassette, Mismatch, mismatch_of
from benchmark.models import ChatRequest, ModelSetup, Reply


@dataclass(frozen=True)
class CassetteModel:
    """The model of one seat. position: how many model calls the session's log holds so far, whoever made them."""

    setup: ModelSetup
    cassette: Cassette
    seat: str
    position: Callable[[], int]

    def ask(self, request: ChatRequest) -> Reply:
        """The recorded answer to the next call.

        Raises:
            ModelFailure: the call failed when it was recorded.
            Mismatch: it is not the call that was recorded.
        """
        number = self.position() + 1
        exchange = self.cassette.exchange(number)
        if exchange is None:
            held = len(self.cassette.exchanges)
            raise EndOfCassette(
                f"model call {number} ({self.seat}) departs from the recording: "
                f"the cassette is at its end, it holds {held} model call{'' if held == 1 else 's'}"
            )
        if why := mismatch_of(exchange, self.seat, request):
            raise Mismatch(f"model call {number} ({self.seat}) departs from the recording: {why}")
        if exchange.failure is not None:
            raise exchange.failure.as_exception()
        assert exchange.reply is not None
        return exchange.reply
