"""Asking a model from a command: in a place that all processes share, and again while there is patience."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection

from benchmark.models.failures import ModelFailure
from sandbox.tools.language import Language
from webapp.endpoints.keys import KeyRefused, check_key
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.slots import HELD, NoPlace, give_back, keep_places, pause, take_place

if TYPE_CHECKING:
    from benchmark.models import ChatRequest, Reply

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 30.0


def ask_in_place(endpoint: ModelEndpoint, language: str) -> Callable[[ChatRequest], Reply]:
    """What asks this model, from any number of threads.

    It raises ModelFailure for a request that can't be answered, or not within the endpoint's patience.
    """
    from benchmark.models.bridge import ask_now  # late: it brings a client along

    setup = endpoint.setup()
    spoken: Language = "en" if language == "en" else "zh"

    def ask(request: ChatRequest) -> Reply:
        try:
            check_key(variable=setup.key_variable, address=setup.base_url)
        except KeyRefused as refused:
            raise ModelFailure("auth", f"{setup.name}: nothing was sent. {refused}") from None
        end, wait_s = time.monotonic() + setup.patience_s, _FIRST_PAUSE_S
        while True:
            try:
                with _place(endpoint):
                    return ask_now(setup, request, language=spoken)
            except ModelFailure as failure:
                if not failure.retryable or failure.kind == "no_key" or time.monotonic() + wait_s > end:
                    raise
                if failure.retry_after_s:
                    pause(endpoint_name=endpoint.name, seconds=failure.retry_after_s)
                time.sleep(failure.retry_after_s or wait_s)
                wait_s = min(2 * wait_s, _LONGEST_PAUSE_S)

    return ask


@contextmanager
def _place(endpoint: ModelEndpoint) -> Iterator[None]:
    """Wait for a place and keep it while the request is on its way."""
    holder = _taken(endpoint)
    over = threading.Event()
    keeper = threading.Thread(target=_keep, args=(holder, over), daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()
        give_back(holder=holder)


def _taken(endpoint: ModelEndpoint) -> str:
    own = ModelEndpoint.objects.get(pk=endpoint.pk)
    while True:
        try:
            return take_place(endpoint=own)
        except NoPlace as full:
            time.sleep(full.after_s)


def _keep(holder: str, over: threading.Event) -> None:
    while not over.wait(HELD.total_seconds() / 3):
        keep_places(holders=[holder])
    connection.close()
