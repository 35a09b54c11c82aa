"""A model behind its endpoint: a place that all workers share, one request, and what came of it."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from django.db import Error, connection

from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from benchmark.models.answers import storable
from benchmark.models.bridge import ask_now
from benchmark.models.chat import DeltaListener, Usage
from benchmark.models.cost import cost
from sandbox.tools.language import Language
from webapp import counters
from webapp.endpoints.hosts import HostRefused, check_host, may_quote_servers
from webapp.endpoints.keys import KeyRefused, check_key
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.outages import note_answer, note_failure
from webapp.endpoints.slots import NoPlace, give_back, pause, take_place
from webapp.jobs.services import wake_waiting
from worker.gate import gate
from worker.lease_keeper import lease_keeper
from worker.telemetry.calls import chat_span

PATIENCE_S = 1.0
"""A step waits so long in its thread for a place, then whatever asks sleeps: waiting must not hold threads."""
SPREAD_S = 3.0
"""Those who wait for an endpoint's pause to end come back over as long a time, so long at most, not all at once."""
WAKING_S = 0.5
"""Whoever leaves a place wakes the next one so often at most: most places are taken again by the same session."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LiveModel:
    """A model behind its endpoint.

    is_stopped: whether a researcher, or the end of this worker, breaks the call off. asleep_s: how long whoever finds
    no place sleeps, unless it is woken.
    """

    setup: ModelSetup
    endpoint: ModelEndpoint
    language: Language
    on_delta: DeltaListener
    is_stopped: Callable[[], bool]
    asleep_s: float = 2.0

    def ask(self, request: ChatRequest) -> Reply:
        """One request, in a place that all workers share.

        Raises:
            NoPlace: there is none just now.
            ModelFailure: there is no answer.
        """
        try:
            reply = self._ask_in_place(request)
        except ModelFailure as failure:
            self._count(failure.kind, failure.latency_ms, failure.usage)
            if failure.kind != "cancelled":
                _report(note_failure, endpoint_name=self.endpoint.name, why=str(failure))
            raise
        self._count("ok", reply.latency_ms, reply.usage)
        if self.endpoint.failed_in_row:  # as it was when the request took its place
            _report(note_answer, endpoint_name=self.endpoint.name)
        return reply

    def _count(self, outcome: str, latency_ms: float, usage: Usage | None) -> None:
        name = self.endpoint.name
        counters.add(counters.MODEL_CALLS, name, outcome)
        counters.add(counters.MODEL_SECONDS, name, by=latency_ms / 1000)
        if usage is not None:
            counters.add(counters.MODEL_TOKENS, name, "prompt", by=usage.prompt)
            counters.add(counters.MODEL_TOKENS, name, "completion", by=usage.completion)
        if (spent := cost(self.setup, usage)) is not None:
            counters.add(counters.MODEL_COST, name, self.setup.currency, by=spent)

    def _ask_in_place(self, request: ChatRequest) -> Reply:
        self._check_address()
        holder = self._take_place()
        release_connection()
        try:
            with lease_keeper().keep_place(holder), gate.wait_outside():
                return self._answer(request).rewrite(storable)
        finally:
            _give_place_back(self.endpoint.name, holder)

    def _check_address(self) -> None:
        """A session may be older than the binding of its model's key, or come from elsewhere."""
        try:
            check_host(self.setup.base_url)
            check_key(variable=self.setup.key_variable, address=self.setup.base_url)
        except (HostRefused, KeyRefused) as refused:
            raise ModelFailure("auth", f"{self.setup.name}: nothing was sent. {refused}") from None

    def _answer(self, request: ChatRequest) -> Reply:
        with chat_span(self.setup, request) as span:
            try:
                reply = self._ask_server(request)
            except ModelFailure as failure:
                span.fail(failure)
                raise
            span.end(reply)
            return reply

    def _ask_server(self, request: ChatRequest) -> Reply:
        try:
            return ask_now(
                self.setup, request, told=self.on_delta, stopped=self.is_stopped, language=self.language
            )
        except ModelFailure as failure:
            if not may_quote_servers():
                failure.args = (failure.unquoted,)
            if failure.retry_after_s:
                with suppress(Error):  # without the pause the others find out for themselves
                    pause(endpoint_name=self.endpoint.name, seconds=failure.retry_after_s)
            raise
        except Exception as error:  # a request that was made is counted, whatever came back
            log.warning("the answer of %s can't be read", self.setup.name, exc_info=error)
            message = f"{self.setup.name} ({self.setup.base_url}): the answer can't be read ({type(error).__name__})"
            raise ModelFailure("malformed", message, answering=True) from error

    def _take_place(self) -> str:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return take_place(endpoint=self.endpoint)
            except NoPlace as full:
                if full.after_s > PATIENCE_S or time.monotonic() >= end or self.is_stopped():
                    raise self._without_place(full) from full
                with gate.wait_outside():
                    time.sleep(full.after_s)

    def _without_place(self, full: NoPlace) -> NoPlace:
        if self.is_stopped():
            return NoPlace(0.0)
        if full.all_taken:  # all alike, so that who has waited longest is woken first
            return NoPlace(self.asleep_s, all_taken=True, endpoint=self.endpoint.name)
        return NoPlace(full.after_s + random.uniform(0.0, min(full.after_s, SPREAD_S)))


def release_connection() -> None:
    """Close this thread's connection: a call takes minutes, in which others need it, and it may be lost.

    One to a file is kept: nobody needs it, and to open it again takes longer than what is asked of it then.
    """
    if connection.vendor != "sqlite" and not connection.in_atomic_block:
        connection.close()


def _report(note: Callable[..., None], **told: str) -> None:
    """Tell what became of a request; it is not lost for that."""
    try:
        note(**told)
    except Error as error:
        log.warning("what became of a request to %s is not told: %s", told["endpoint_name"], error)


_last_wakes: dict[str, float] = {}
"""When this process has woken somebody, by endpoint: a bound on how often, nothing that anybody relies on."""


def _give_place_back(endpoint: str, holder: str) -> None:
    """Give a place back. An answer that is here is not lost for that: the place is free by itself soon."""
    now = time.monotonic()
    try:
        give_back(holder=holder)
        if now - _last_wakes.get(endpoint, 0.0) > WAKING_S:
            _last_wakes[endpoint] = now
            wake_waiting(endpoint=endpoint)
    except Error as error:
        log.warning("a place at %s is not given back: %s", endpoint, error)
