"""What all websockets share: threads that look up who asks, and a channel layer of groups alone."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer
from channels_redis.utils import _wrap_close
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.db import close_old_connections

from webapp.counters import add_sockets

Key = TypeVar("Key", bound=Hashable)
Row = TypeVar("Row")
GATHER_S = 0.25
"""What sockets ask again and again is gathered for so long."""
LOOKUPS = ThreadPoolExecutor(2, thread_name_prefix="look-ups")
"""Apart from the thread that renders what sockets send: whoever comes does not wait until all others are fed."""


def signed_in_by(browser: SessionStore) -> Any:
    """Who is signed in in a browser now. Reads the database."""
    return get_user(SimpleNamespace(session=browser))  # type: ignore[arg-type]  # it reads no more


async def looked_up(look: Callable[[], Row]) -> Row:
    """What a look into the database finds. It is dropped if whoever asks is gone before it begins."""
    here = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(LOOKUPS, here.run, _with_connection, look)


def _with_connection(look: Callable[[], Row]) -> Row:
    close_old_connections()
    try:
        return look()
    finally:
        close_old_connections()


class Gathering(Generic[Key, Row]):
    """What many sockets ask within a moment, looked up at once; an error reaches all who asked.

    look: finds all of it; what it leaves out is None.
    """

    def __init__(self, look: Callable[[Collection[Key]], Mapping[Key, Row]]) -> None:
        self._look = look
        self._questions: dict[Key, list[asyncio.Future[Row | None]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._answering: asyncio.Task[None] | None = None

    async def ask(self, key: Key) -> Row | None:
        """What is found of `key`, not earlier than now."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # another loop's has ended with it
            self._questions, self._loop = {}, loop
            self._answering = None
        answer: asyncio.Future[Row | None] = loop.create_future()
        self._questions.setdefault(key, []).append(answer)
        if self._answering is None:
            self._answering = loop.create_task(self._answer())
        return await answer

    async def _answer(self) -> None:
        await asyncio.sleep(GATHER_S)
        asked, self._questions, self._answering = self._questions, {}, None
        try:
            found = await looked_up(lambda: self._look(asked))
        except Exception as error:
            for waiting in _still_waiting(asked.values()):
                waiting.set_exception(error)
            return
        for key, answers in asked.items():
            for waiting in _still_waiting([answers]):
                waiting.set_result(found.get(key))


def _still_waiting(answers: Iterable[list[asyncio.Future[Any]]]) -> Iterator[asyncio.Future[Any]]:
    return (waiting for some in answers for waiting in some if not waiting.done())


class Consumer(AsyncJsonWebsocketConsumer):
    """A socket that goes to the database only where it says so.

    Channels itself looks for old connections before each message and at the end, in the thread that renders. What
    reads here gives its connection back by itself.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket to its end, however it comes."""
        add_sockets(1)
        try:
            await super().__call__(scope, receive, send)
        finally:
            add_sockets(-1)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand a message to its method."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def websocket_disconnect(self, message: Any) -> None:
        """The client is gone."""
        await self.disconnect(message["code"])
        raise StopConsumer

    @property
    def browser(self) -> SessionStore:
        """The session of the browser that asks, read anew."""
        return SessionStore(self.browser_key)

    @property
    def browser_key(self) -> str | None:
        """The key of that session, which the browser has in a cookie."""
        key: str | None = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        return key

    def signed_in(self) -> Any:
        """Who is signed in there now. Reads the database."""
        return signed_in_by(self.browser)


class GroupLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # channels_redis has no types
    """Redis knows groups alone.

    Nobody sends to a single socket, and to subscribe and unsubscribe each took a lock that all sockets share.
    """

    def _get_layer(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = _LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return self._layers[loop]


class _LoopLayer(RedisPubSubLoopLayer):  # type: ignore[misc]
    async def _subscribe_to_channel(self, channel: str) -> None:
        self.channels[channel] = asyncio.Queue()
