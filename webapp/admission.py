"""How many requests a web process works on at once. Each has a thread and a database connection of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.utils.translation import gettext as _

Application = Callable[..., Awaitable[Any]]
PATIENCE_S = 10.0
RETRY_AFTER_S = 5
API = "/api/"
PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>503</title><p>{words}</p></html>'


class Door:
    """Lets `at_once` requests in, makes `waiting` more wait their turn, and sends the others away with a 503.

    A request that was let in is worked on to its end, even if whoever asked has left: only then does Django give
    its database connection back. Each place has a thread that stays: a new one for each request, as Django makes
    them, would have to open its own connection, which takes SQLite longer than most of what is read.
    """

    def __init__(self, application: Application, *, at_once: int, waiting: int) -> None:
        self._application = application
        self._places = asyncio.Semaphore(at_once)
        self._threads = [ThreadPoolExecutor(max_workers=1) for _ in range(at_once)]
        self._most_waiting = waiting
        self._waiting = 0
        self._inside: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        """Serve it, now or in its turn, or send it away."""
        if not await self._enter():
            await _refuse(scope, send)
            return
        task = asyncio.create_task(self._serve(scope, receive, send))
        self._inside.add(task)
        task.add_done_callback(self._inside.discard)
        await asyncio.shield(task)

    async def _enter(self) -> bool:
        if not self._places.locked():
            return await self._places.acquire()
        if self._waiting >= self._most_waiting:
            return False
        self._waiting += 1
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._places.acquire()
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1

    async def _serve(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        thread = self._threads.pop()
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self._application(scope, receive, send)
        finally:
            self._threads.append(thread)
            self._places.release()


def by_path(prefix: str, below: Application, others: Application) -> Application:
    """One application for the paths that begin so, and another for all others."""

    async def choose(scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        chosen = below if scope["path"].startswith(prefix) else others
        await chosen(scope, receive, send)

    return choose


async def _refuse(scope: Mapping[str, Any], send: Any) -> None:
    """As a page; to a program as JSON, like the other refusals of the API."""
    words = _("Caravan is too busy at the moment. Try again in a few seconds.")
    kind, body = b"text/html; charset=utf-8", PAGE.format(words=words)
    if scope["path"].startswith(API):
        kind, body = b"application/json", json.dumps({"detail": words, "code": "busy"})
    headers = [
        (b"content-type", kind),
        (b"cache-control", b"no-store"),
        (b"retry-after", str(RETRY_AFTER_S).encode()),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})
