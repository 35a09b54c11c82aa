"""The line from a session's seats to their models: a place at the endpoint, one request, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from benchmark.models import ChatRequest, Model, ModelFailure, ModelSetup, Reply
from benchmark.models.bridge import ask_now
from benchmark.models.deltas import Told
from benchmark.models.exchange import Exchange, Failure
from sandbox.tools.language import Language
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.slots import LOOK_AGAIN_S, NoPlace, give_back, pause, take_place
from worker.heart import heart

PATIENCE_S = 4.0
"""A step waits so long in its thread for a place, then the session sleeps."""
SLEEP_S = 2.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was made in a step, and its reply or why there is none."""

    seat: str
    setup: ModelSetup
    request: ChatRequest
    outcome: Reply | ModelFailure


def exchanges(asked: Iterable[Asked], first: int) -> list[Exchange]:
    """Requests as a cassette keeps them, numbered from `first`."""
    return [_exchange(each, number) for number, each in enumerate(asked, first)]


def _exchange(asked: Asked, number: int) -> Exchange:
    if isinstance(asked.outcome, ModelFailure):
        return Exchange(number, asked.seat, asked.request, failure=Failure.of(asked.outcome))
    return Exchange(number, asked.seat, asked.request, reply=asked.outcome)


@dataclass
class Line:
    """What a session's seats ask through. asked: of the step in flight, for its events and its cassette."""

    asked: list[Asked] = field(default_factory=list)

    def taken(self) -> list[Asked]:
        """What was asked since the last time."""
        asked, self.asked = self.asked, []
        return asked


@dataclass(frozen=True, slots=True)
class SeatModel:
    """A seat's model, whatever answers: a server or a cassette. Every request goes on the line."""

    seat: str
    behind: Model
    line: Line

    @property
    def setup(self) -> ModelSetup:
        return self.behind.setup

    def ask(self, request: ChatRequest) -> Reply:
        """One answer, or the failure that it met."""
        try:
            reply = self.behind.ask(request)
        except ModelFailure as failure:
            self.line.asked.append(Asked(self.seat, self.setup, request, failure))
            raise
        self.line.asked.append(Asked(self.seat, self.setup, request, reply))
        return reply


@dataclass(frozen=True, slots=True)
class LiveModel:
    """A model behind its endpoint. stopped: whether a researcher, or the end of this worker, breaks the call off."""

    setup: ModelSetup
    endpoint: ModelEndpoint
    language: Language
    told: Told
    stopped: Callable[[], bool]

    def ask(self, request: ChatRequest) -> Reply:
        """One request, in a place that all workers share.

        Raises:
            NoPlace: there is none just now.
            ModelFailure: there is no answer.
        """
        holder = self._place()
        try:
            with heart().keeping(holder):
                return ask_now(
                    self.setup,
                    request,
                    told=self.told,
                    stopped=self.stopped,
                    language=self.language,
                )
        except ModelFailure as failure:
            if failure.retry_after_s:
                pause(endpoint_name=self.endpoint.name, seconds=failure.retry_after_s)
            raise
        finally:
            give_back(holder=holder)

    def _place(self) -> str:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return take_place(endpoint=self.endpoint)
            except NoPlace as full:
                if self.stopped():
                    raise NoPlace(0.0) from full
                if time.monotonic() + full.after_s > end:
                    raise NoPlace(max(full.after_s, SLEEP_S)) from full
                time.sleep(max(full.after_s, LOOK_AGAIN_S))
