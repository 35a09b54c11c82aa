"""How many requests a web process works on at once. Each has a thread and a database connection of its own."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.utils.translation import gettext as _

from webapp import counters

Application = Callable[..., Awaitable[Any]]
PATIENCE_S = 10.0
RETRY_AFTER_S = 5
API = "/api/"
PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>503</title><p>{words}</p></html>'


class Haste(IntEnum):
    """What comes first. SEND: what somebody sends. PAGE: what they open. LOOK: part of a page that is open."""

    SEND = 0
    PAGE = 1
    LOOK = 2


def haste_of(scope: Mapping[str, Any]) -> Haste:
    """Of a request: by its method, and by the header that htmx sends along."""
    if scope.get("method", "GET") not in ("GET", "HEAD"):
        return Haste.SEND
    return Haste.LOOK if any(name == b"hx-request" for name, _ in scope.get("headers", ())) else Haste.PAGE


class Door:
    """Lets `at_once` requests in, makes `waiting` more wait their turn, and sends the others away with a 503.

    What is sent is let in first, and last what an open page asks for, by itself for the most part: `looks` of them at
    most are inside at once.

    A request that was let in is worked on to its end, even if whoever asked has left: only then does Django give
    its database connection back. Each place has a thread that stays: a new one for each request, as Django makes
    them, would have to open its own connection, which takes SQLite longer than most of what is read.
    """

    def __init__(
        self, application: Application, *, at_once: int, waiting: int, looks: int | None = None
    ) -> None:
        self._application = application
        self._free = at_once
        self._most_looks = at_once if looks is None else looks
        self._looks = 0
        self._threads = [ThreadPoolExecutor(max_workers=1) for _ in range(at_once)]
        self._most_waiting = waiting
        self._lines: dict[Haste, deque[asyncio.Future[None]]] = {haste: deque() for haste in Haste}
        self._inside: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        """Serve it, now or in its turn, or send it away."""
        haste = haste_of(scope)
        if not await self._enter(haste):
            await _refuse(scope, send)
            return
        task = asyncio.create_task(self._serve(scope, receive, send, haste))
        self._inside.add(task)
        task.add_done_callback(self._inside.discard)
        await asyncio.shield(task)

    async def _enter(self, haste: Haste) -> bool:
        line = self._lines[haste]
        if not line and self._may_enter(haste):
            self._take(haste)
            return True
        if sum(map(len, self._lines.values())) >= self._most_waiting:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(turn)
        try:
            async with asyncio.timeout(PATIENCE_S):
                await turn
        except BaseException as ended:
            if turn.done() and not turn.cancelled():  # let in, and gone at the same moment
                self._leave(haste)
            elif turn in line:
                line.remove(turn)
            if isinstance(ended, TimeoutError):
                return False
            raise
        return True

    def _may_enter(self, haste: Haste) -> bool:
        return self._free > 0 and (haste is not Haste.LOOK or self._looks < self._most_looks)

    def _take(self, haste: Haste) -> None:
        self._free -= 1
        self._looks += haste is Haste.LOOK

    def _leave(self, haste: Haste) -> None:
        self._free += 1
        self._looks -= haste is Haste.LOOK
        for next_haste, line in self._lines.items():
            while line and self._may_enter(next_haste):
                turn = line.popleft()
                if not turn.done():
                    self._take(next_haste)
                    turn.set_result(None)

    async def _serve(self, scope: Mapping[str, Any], receive: Any, send: Any, haste: Haste) -> None:
        thread = self._threads.pop()
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self._application(scope, receive, send)
        finally:
            self._threads.append(thread)
            self._leave(haste)


def by_path(prefix: str | tuple[str, ...], below: Application, others: Application) -> Application:
    """One application for the paths that begin so, or in one of these ways, and another for all others."""

    async def choose(scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        chosen = below if scope["path"].startswith(prefix) else others
        await chosen(scope, receive, send)

    return choose


async def _refuse(scope: Mapping[str, Any], send: Any) -> None:
    """As a page; to a program as JSON, like the other refusals of the API."""
    counters.add(counters.REQUESTS, "5xx")
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
