"""What Daphne and Django do otherwise for Caravan.

Surroundings are checked before anything is served, sockets say why they end, a request has a largest size and runs in
one go, long answers are sent as they are read and no faster than they are taken, and the access log holds no token.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

from asgiref.sync import sync_to_async
from daphne import cli, http_protocol
from daphne.access import AccessLogGenerator
from daphne.http_protocol import WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse

from webapp import counters
from webapp.accounts.redaction import without_tokens
from webapp.logs import JSON, REQUEST_HEADER, log_ids, request_id, write_line
from webapp.processes.models import Kind
from webapp.watching.starting import start_process

_PASSED_OVER = 512 * 1024 * 1024
"""Bytes of a refused body that are still read: a browser shows the answer only once it has sent all of it."""
_MOST_MB = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // (1024 * 1024)
PIECE_BYTES, PIECE_S = 64 * 1024, 0.2
"""A long answer is sent on when so much of it, or what there is of it after so long, has been read."""
UNTAKEN_S = 60.0
"""After which a connection is given up whose other end takes nothing of a long answer."""
_START_MESSAGES = (
    f"This is larger than {_MOST_MB} MB, the most that is taken at once. Go back, and pack the file with gzip, split "
    "it, or give it to the command line.\n"
    f"上传内容超过 {_MOST_MB} MB 的上限。请返回，用 gzip 压缩文件、拆分文件，或改用命令行。\n"
).encode()
_TOO_LARGE = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"X-Content-Type-Options: nosniff\r\nContent-Length: %d\r\n\r\n%s"
    % (len(_START_MESSAGES), _START_MESSAGES)
)


class CheckedServer(Server):  # type: ignore[misc]  # daphne has no types
    """A server that serves where it can, and says that it lives for as long.

    An application that sends faster than its reader takes has to wait.
    """

    def run(self) -> None:
        """Serve until the process is to end."""
        heartbeat = start_process(Kind.WEB)
        try:
            super().run()
        finally:
            heartbeat.stop()

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Send it on."""
        await super().handle_reply(protocol, message)
        if isinstance(protocol, Request):
            await protocol.wait_for_room()


class Socket(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """A websocket whose client always gets a closing frame with code and reason.

    Daphne leaves out the reason that a consumer gives, and drops the connection of a client that sends more than
    `--websocket-max-message-size` (1 MB, which bounds what is sent to it as well).
    """

    failByDrop = False

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Do what the consumer asks for."""
        if message["type"] == "websocket.close" and self.state == self.STATE_OPEN:
            self.sendClose(code=message.get("code") or 1000, reason=message.get("reason") or None)
        else:
            super().handle_reply(message)


class Request(WebRequest):  # type: ignore[misc]
    """A request with a body of DATA_UPLOAD_MAX_MEMORY_SIZE at most, and an answer that waits for its reader.

    Daphne takes a body of any size to disk before anything asks who sends it. Of a larger one nothing is kept. It
    also keeps in memory whatever of an answer was not taken yet; here the application waits before it sends more.
    """

    _taken_count = 0
    _refused = False
    _is_producer = False
    _room: asyncio.Event | None = None
    """Set while the other end takes what is sent; None where it always did."""

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Send on what the application sends."""
        more = message.get("more_body", False)
        if self._is_producer and message["type"] == "http.response.body" and not more:
            self._is_producer = False
            self.unregisterProducer()
        elif more and not (self._is_producer or self.finished or self.channel is None):
            self._is_producer = True
            self.registerProducer(self, True)
        super().handle_reply(message)

    async def wait_for_room(self) -> None:
        """Until what was sent has been taken, or nobody is there to take it."""
        if self._room is None or self._room.is_set():
            return
        try:
            async with asyncio.timeout(UNTAKEN_S):
                await self._room.wait()
        except TimeoutError:
            if self.channel is not None:
                self.channel.forceAbortClient()

    def pauseProducing(self) -> None:
        """Twisted: more is waiting to be sent than it should be."""
        self._room = asyncio.Event()

    def resumeProducing(self) -> None:
        """Twisted: it has been sent."""
        if self._room is not None:
            self._room.set()

    stopProducing = resumeProducing

    def connectionLost(self, reason: Any) -> None:
        """Nobody reads any more."""
        self.resumeProducing()
        super().connectionLost(reason)

    def gotLength(self, length: int | None) -> None:
        """Refuse what is announced as too large before any of it is sent."""
        super().gotLength(length)
        if (length or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:
        """Take a piece of the body, whose length may be unknown."""
        self._taken_count += len(data)
        if self._taken_count > settings.DATA_UPLOAD_MAX_MEMORY_SIZE and not self._refused:
            self._refuse()
        if not self._refused:
            super().handleContentChunk(data)
        elif self._taken_count > _PASSED_OVER:
            self.channel.loseConnection()

    def process(self) -> Any:
        """Hand it to the application, unless it has its answer."""
        return self.channel.loseConnection() if self._refused else super().process()

    def _refuse(self) -> None:
        self._refused = True
        self.channel.transport.write(_TOO_LARGE)


class Pages(ASGIHandler):
    """Django's, with all middleware and the view run in one go in the request's thread.

    By itself Django goes to and fro between the loop and the thread, for every middleware that could be asynchronous
    and for the view; each time the request waits for a busy loop. No view here is asynchronous.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """Make the chain as for WSGI."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Go through it."""
        known = request_id(request.headers.get(REQUEST_HEADER, ""))
        with log_ids(request=known):
            response = await sync_to_async(self.get_response)(request)
        response.headers[REQUEST_HEADER] = known
        counters.add(counters.REQUESTS, f"{response.status_code // 100}xx")
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = _read_on(cast("Iterator[bytes]", response.streaming_content))
        return response


async def _read_on(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The pieces of a long answer, several together, read in the request's thread; Django would read all of them
    before it sends anything.
    """

    def following() -> bytes:
        taken, size, ends_at = [], 0, time.monotonic() + PIECE_S
        for piece in pieces:
            taken.append(piece)
            size += len(piece)
            if size >= PIECE_BYTES or (size and time.monotonic() > ends_at):
                break
        return b"".join(taken)

    while some := await sync_to_async(following)():
        yield some


class AccessLog(AccessLogGenerator):  # type: ignore[misc]  # daphne has no types
    """Daphne's own, where `/signin/***` stands for the address of a link.

    As JSON it has neither who asks nor what is searched for.
    """

    def write_entry(self, host: Any, date: Any, request: str, **more: Any) -> None:
        """Write one line."""
        if settings.CARAVAN_LOG_FORMAT == JSON:
            words = " ".join([request.split("?", maxsplit=1)[0], *map(str, more.values())])
            write_line(words, logger="webapp.access", stream=self.stream)
        else:
            super().write_entry(host, date, without_tokens(request), **more)


def adapt_daphne() -> None:
    """Put these in the places of Daphne's; it imports the application before it makes any of them."""
    WebSocketFactory.protocol = Socket
    http_protocol.WebRequest = Request
    cli.AccessLogGenerator = AccessLog
    cli.CommandLineInterface.server_class = CheckedServer
