"""The line from a session's seats to their models: a place at the endpoint, one request, and what came of it."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from django.db import Error, connection

from benchmark.core.events import ModelCalled
from benchmark.core.model_calls import model_called
from benchmark.models import ChatRequest, Model, ModelFailure, ModelSetup, Reply
from benchmark.models.answers import storable
from benchmark.models.bridge import ask_now
from benchmark.models.chat import Told
from benchmark.models.exchange import Exchange, Failure
from sandbox.tools.language import Language
from webapp.endpoints.hosts import HostRefused, check_host
from webapp.endpoints.keys import KeyRefused, check_key
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.outages import note_answer, note_failure
from webapp.endpoints.slots import NoPlace, give_back, pause, take_place
from webapp.jobs.services import wake_waiting
from worker.lease_keeper import lease_keeper

PATIENCE_S = 1.0
"""A step waits so long in its thread for a place, then whatever asks sleeps: waiting must not hold threads."""
SPREAD_S = 3.0
"""Those who wait for an endpoint's pause to end come back over as long a time, so long at most, not all at once."""
WAKING_S = 0.5
"""Whoever leaves a place wakes the next one so often at most: most places are taken again by the same session."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
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


def exchanges(asked: Iterable[Asked], first: int) -> list[Exchange]:
    """Requests as a cassette keeps them, numbered from `first`."""
    return [_exchange(each, number) for number, each in enumerate(asked, first)]


def _exchange(asked: Asked, number: int) -> Exchange:
    if isinstance(asked.outcome, ModelFailure):
        return Exchange(number, asked.seat, asked.request, failure=Failure.of(asked.outcome))
    return Exchange(number, asked.seat, asked.request, reply=asked.outcome)


@dataclass
class Line:
    """What a session's seats ask through.

    asked: of the step in flight, for its events and its cassette. endpoints: all that were asked, by name.
    """

    asked: list[Asked] = field(default_factory=list)
    endpoints: set[str] = field(default_factory=set)

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
            self._note(request, failure)
            raise
        self._note(request, reply)
        return reply

    def _note(self, request: ChatRequest, outcome: Reply | ModelFailure) -> None:
        self.line.endpoints.add(self.setup.name)
        self.line.asked.append(Asked(self.seat, self.setup, request, outcome))


@dataclass(frozen=True, slots=True)
class LiveModel:
    """A model behind its endpoint.

    stopped: whether a researcher, or the end of this worker, breaks the call off. asleep_s: how long whoever finds
    no place sleeps, unless it is woken.
    """

    setup: ModelSetup
    endpoint: ModelEndpoint
    language: Language
    on_delta: Told
    stopped: Callable[[], bool]
    asleep_s: float = 2.0

    def ask(self, request: ChatRequest) -> Reply:
        """One request, in a place that all workers share.

        Raises:
            NoPlace: there is none just now.
            ModelFailure: there is no answer.
        """
        try:
            reply = self._asked(request)
        except ModelFailure as failure:
            if failure.kind != "cancelled":
                _noted(note_failure, endpoint_name=self.endpoint.name, why=str(failure))
            raise
        if self.endpoint.failed_in_row:  # as it was when the request took its place
            _noted(note_answer, endpoint_name=self.endpoint.name)
        return reply

    def _asked(self, request: ChatRequest) -> Reply:
        self._check_address()
        holder = self._place()
        let_go_of_database()
        try:
            with lease_keeper().keeping(holder):
                return self._answer(request).rewritten(storable)
        finally:
            _leave(self.endpoint.name, holder)

    def _check_address(self) -> None:
        """A session may be older than the binding of its model's key, or come from elsewhere."""
        try:
            check_host(self.setup.base_url)
            check_key(variable=self.setup.key_variable, address=self.setup.base_url)
        except (HostRefused, KeyRefused) as refused:
            raise ModelFailure("auth", f"{self.setup.name}: nothing was sent. {refused}") from None

    def _answer(self, request: ChatRequest) -> Reply:
        try:
            return ask_now(
                self.setup, request, told=self.on_delta, stopped=self.stopped, language=self.language
            )
        except ModelFailure as failure:
            if failure.retry_after_s:
                with suppress(Error):  # without the pause the others find out for themselves
                    pause(endpoint_name=self.endpoint.name, seconds=failure.retry_after_s)
            raise
        except Exception as error:  # a request that was made is counted, whatever came back
            log.warning(
                "the answer of %s can't be read: %s: %s", self.setup.name, type(error).__name__, error
            )
            message = f"{self.setup.name} ({self.setup.base_url}): the answer can't be read ({type(error).__name__})"
            raise ModelFailure("malformed", message, answering=True) from error

    def _place(self) -> str:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return take_place(endpoint=self.endpoint)
            except NoPlace as full:
                if full.after_s > PATIENCE_S or time.monotonic() >= end or self.stopped():
                    raise self._asleep(full) from full
                time.sleep(full.after_s)

    def _asleep(self, full: NoPlace) -> NoPlace:
        if self.stopped():
            return NoPlace(0.0)
        if full.taken:  # all alike, so that who has waited longest is woken first
            return NoPlace(self.asleep_s, taken=True, endpoint=self.endpoint.name)
        return NoPlace(full.after_s + random.uniform(0.0, min(full.after_s, SPREAD_S)))


def let_go_of_database() -> None:
    """Close this thread's connection: a call takes minutes, in which others need it, and it may be lost."""
    if not connection.in_atomic_block:
        connection.close()


def _noted(note: Callable[..., None], **told: str) -> None:
    """Tell what became of a request; it is not lost for that."""
    try:
        note(**told)
    except Error as error:
        log.warning("what became of a request to %s is not told: %s", told["endpoint_name"], error)


_woken: dict[str, float] = {}
"""When this process has woken somebody, by endpoint: a bound on how often, nothing that anybody relies on."""


def _leave(endpoint: str, holder: str) -> None:
    """Give a place back. An answer that is here is not lost for that: the place is free by itself soon."""
    now = time.monotonic()
    try:
        give_back(holder=holder)
        if now - _woken.get(endpoint, 0.0) > WAKING_S:
            _woken[endpoint] = now
            wake_waiting(endpoint=endpoint)
    except Error as error:
        log.warning("a place at %s is not given back: %s", endpoint, error)
