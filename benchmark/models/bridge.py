"""From threads to the one event loop of a process in which all requests to models wait.

The loop, its thread and the clients are the only thing here that outlives a call: a pool of connections belongs to
one loop. They are made when first needed, so after a fork, and a forked child begins without any.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from benchmark.models.chat import ChatRequest, Delta, DeltaListener, Reply
from benchmark.models.diagnosis import NoAnswer
from benchmark.models.setup import ModelSetup
from sandbox.tools.language import Language

if TYPE_CHECKING:
    from benchmark.models.client import ModelClient

CLIENTS = 64
"""Endpoints whose connections are kept; the one that was not asked for longest is closed for another."""

T = TypeVar("T")


def never_stops() -> bool:
    """What `stopped` says where nobody can stop a call."""
    return False


def client_for(setup: ModelSetup) -> ModelClient:
    """The process's client of that setup. One that was dropped meanwhile still works: it opens new connections."""
    return _process.client_for(setup)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run something in the loop and wait for it in this thread, which must not be the loop's own."""
    return _process.submit(work).result()


def ask_now(
    setup: ModelSetup,
    request: ChatRequest,
    *,
    told: DeltaListener | None = None,
    stopped: Callable[[], bool] = never_stops,
    look_s: float = 0.2,
    language: Language = "zh",
) -> Reply:
    """`ModelClient.answer` of the process's client, awaited in the calling thread.

    told: called in this thread with pieces as they come, so it may take its time. stopped: asked every look_s seconds
    whether the answer is still wanted; if not, the request is cancelled at once.

    Raises:
        ModelFailure: there is no answer; `cancelled` where stopped said so.
    """
    pieces: SimpleQueue[Delta | None] = SimpleQueue()
    attempt = client_for(setup).attempt(request, pieces.put if told else None, language=language)
    answer = _process.submit(attempt.reply())
    answer.add_done_callback(lambda _: pieces.put(None))
    try:
        if not _waited(pieces, told, stopped, look_s):
            raise attempt.failure_of(NoAnswer("cancelled", "the request was cancelled"))
        return answer.result()
    finally:
        answer.cancel()


def _waited(
    pieces: SimpleQueue[Delta | None], told: DeltaListener | None, stopped: Callable[[], bool], look_s: float
) -> bool:
    """Pass pieces on until the answer's end; False when it is not wanted any more."""
    look_at = 0.0
    while True:
        now = time.monotonic()
        if now >= look_at:
            if stopped():
                return False
            look_at = now + look_s
        try:
            piece = pieces.get(timeout=max(look_at - now, 0))
        except Empty:
            continue
        if piece is None:
            return True
        if told:
            told(piece)


class _Process:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clients: OrderedDict[ModelSetup, ModelClient] = OrderedDict()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        with self._lock:
            return asyncio.run_coroutine_threadsafe(work, self._running())

    def client_for(self, setup: ModelSetup) -> ModelClient:
        from benchmark.models.client import ModelClient  # late: its library takes a third of a worker's start

        with self._lock:
            client = self._clients.setdefault(setup, ModelClient(setup))
            self._clients.move_to_end(setup)
            if len(self._clients) > CLIENTS:
                _, oldest = self._clients.popitem(last=False)
                asyncio.run_coroutine_threadsafe(oldest.close(), self._running())
            return client

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, name="models", daemon=True).start()
        return self._loop


_process = _Process()
os.register_at_fork(after_in_child=_process.__init__)  # type: ignore[misc]
