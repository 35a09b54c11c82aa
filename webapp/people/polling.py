"""Requests that wait for their session, outside Django: they hold no thread, no database connection and no place."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from channels.layers import get_channel_layer
from django.http import HttpRequest

from webapp.people.api_models import MOST_WAIT_S
from webapp.sessions.consumers import CHECK_S, REDIS_ERRORS
from webapp.sessions.live import group_of

Application = Callable[..., Awaitable[Any]]
PATHS = re.compile(r"/api/(seat/view|v1/sessions/[^/]+/events)")
KEY = "caravan.poll"
CALM_S = 0.05
"""A step brings several events: they are told together."""


@dataclass
class Poll:
    """What a request that waits and its view tell each other.

    is_repeat: the view was asked before for the same request. session: set by the view where there is nothing new.
    """

    is_repeat: bool = False
    session: str = ""


def poll_of(request: HttpRequest) -> Poll:
    """Of this request; one that nobody reads where the request does not wait."""
    poll: Poll | None = getattr(request, "scope", {}).get(KEY)
    return poll or Poll()


def waiting_room(application: Application) -> Application:
    """An application whose view of a seat or of a log, asked to wait, is asked after each event until it has
    something new.

    It stands before the doors of `webapp.admission`, so that a request has a place there only while it is worked on.
    """

    async def serve(scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        wait_s = _wait_seconds(scope)
        if wait_s <= 0:
            await application(scope, receive, send)
            return
        gone = asyncio.create_task(_wait_for_disconnect(receive))
        try:
            for message in await _answer(application, scope, wait_s, gone):
                await send(message)
        finally:
            gone.cancel()

    return serve


def _wait_seconds(scope: Mapping[str, Any]) -> float:
    """Seconds that a request wants to wait; 0 for what the view itself refuses."""
    if scope["type"] != "http" or not PATHS.fullmatch(scope["path"]) or scope["method"] != "GET":
        return 0.0
    given = parse_qs(scope.get("query_string", b"").decode("latin1")).get("wait", ["0"])[-1]
    try:
        wait_s = float(given)
    except ValueError:
        return 0.0
    return wait_s if 0 < wait_s <= MOST_WAIT_S else 0.0


async def _wait_for_disconnect(receive: Any) -> None:
    """Until whoever asks has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(
    application: Application, scope: Mapping[str, Any], wait_s: float, gone: asyncio.Task[None]
) -> list[dict[str, Any]]:
    """The first answer with something new, else the last one in time."""
    end, poll = time.monotonic() + wait_s, Poll()
    answer = await _ask_application(application, scope, poll)
    if not poll.session:
        return answer
    async with _wake_ups(poll.session) as grown:
        while time.monotonic() < end and not gone.done():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(CHECK_S, max(0.0, end - time.monotonic()))):
                    await grown.wait()
            if gone.done():
                break
            await asyncio.sleep(CALM_S)
            grown.clear()
            poll = Poll(is_repeat=True)
            answer = await _ask_application(application, scope, poll)
            if not poll.session:
                break
    return answer


async def _ask_application(
    application: Application, scope: Mapping[str, Any], poll: Poll
) -> list[dict[str, Any]]:
    """What the application would send now."""
    sent: list[dict[str, Any]] = []
    read = False

    async def receive() -> dict[str, Any]:
        nonlocal read
        if read:
            await asyncio.Event().wait()
        read = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await application({**scope, KEY: poll}, receive, send)
    return sent


@contextlib.asynccontextmanager
async def _wake_ups(session_id: str) -> AsyncIterator[asyncio.Event]:
    """Set at each wake-up of a session. While Redis is away nothing sets it."""
    grown = asyncio.Event()
    following = asyncio.create_task(_follow(get_channel_layer(), group_of(session_id), grown))
    try:
        yield grown
    finally:
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following


async def _follow(layer: Any, group: str, grown: asyncio.Event) -> None:
    with contextlib.suppress(*REDIS_ERRORS):
        channel = await layer.new_channel()
        try:
            await layer.group_add(group, channel)
            grown.set()  # something may have come before
            while True:
                message = await layer.receive(channel)  # cancelled, it gives the channel back
                if message["type"] == "log.grew":
                    grown.set()
        finally:
            await layer.group_discard(group, channel)
