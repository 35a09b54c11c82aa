"""The reward server: HTTP before the processes that score."""

from __future__ import annotations

import asyncio
import hmac
import signal
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

import uvicorn

from benchmark.inputs import MB
from benchmark.jsonlines import json_line
from benchmark.rewards.batch import BadBatch
from benchmark.rewards.workers import Load, WorkerLost, Workers

MOST_BODY: Final = 64 * MB
_PASSED_OVER: Final = 512 * MB
"""Bytes of a refused body that are still read: most clients look at the answer only once they have sent all of it."""
BODY_S: Final = 60.0
"""How long a client may take to send a body."""
_MOST_CONNECTIONS: Final = 256
_END_S: Final = 20
Message = Mapping[str, Any]


class Reply(NamedTuple):
    """What is answered. body: a line of JSON."""

    status: int
    body: bytes
    close: bool = False


def _refusal(status: int, reason: str) -> Reply:
    return Reply(status, json_line({"error": reason}), close=True)


class RewardApp:
    """`POST /score` and `GET /health`, as an ASGI application."""

    def __init__(self, workers: Workers, token: str, about: Mapping[str, object], count: int) -> None:
        self._workers, self._about, self._count = workers, about, count
        self._secret = f"Bearer {token}".encode()

    async def __call__(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """Answer a request; nothing where the client has gone."""
        if scope["type"] != "http":
            return
        reply = await self._reply(scope, receive)
        if reply is None:
            return
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(reply.body))]
        headers += [(b"connection", b"close")] if reply.close else []
        headers += [(b"www-authenticate", b"Bearer")] if reply.status == 401 else []
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body})

    async def _reply(self, scope: Message, receive: Callable[[], Awaitable[Message]]) -> Reply | None:
        asked = (scope["method"], scope["path"])
        if asked == ("GET", "/health"):
            return self._health()
        refusal = self._refuse(asked, dict(scope["headers"]))
        try:
            async with asyncio.timeout(BODY_S):
                body = await _read(receive, keep=refusal is None)
        except TimeoutError:
            return _refusal(408, f"the body took more than {BODY_S:g} s; send it faster, or in parts")
        except _TooLarge:
            return refusal or _refusal(413, f"the body is larger than {MOST_BODY // MB} MB; send fewer plans")
        if body is None or refusal:
            return refusal if body is not None else None
        try:
            return Reply(200, await self._workers.ask(body))
        except BadBatch as error:
            return _refusal(400, str(error))
        except WorkerLost as error:
            return _refusal(503, f"{error}; send the batch again")

    def _refuse(self, asked: tuple[str, str], headers: Mapping[bytes, bytes]) -> Reply | None:
        if asked[1] not in ("/score", "/health"):
            return _refusal(404, "there is /score and /health")
        if asked != ("POST", "/score"):
            return _refusal(405, "POST /score, GET /health")
        if not hmac.compare_digest(headers.get(b"authorization", b""), self._secret):
            return _refusal(401, "the token is missing or wrong; send Authorization: Bearer TOKEN")
        return None

    def _health(self) -> Reply:
        alive = len(self._workers.alive)
        status = "ok" if alive == self._count else "degraded" if alive else "down"
        told = {"status": status, **self._about, "tasks": self._workers.tasks}
        told |= {"workers": alive, "wanted": self._count, "batches": self._workers.batches}
        return Reply(200 if alive else 503, json_line(told))


class _TooLarge(Exception):
    """A body of more than MOST_BODY."""


async def _read(receive: Callable[[], Awaitable[Message]], *, keep: bool) -> bytes | None:
    """The body, none of it kept where it is refused anyhow; None where the client has gone. Raises _TooLarge."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        size += len(part)
        if keep and size <= MOST_BODY:
            parts.append(part)
        else:
            parts.clear()
        if size > _PASSED_OVER or not message.get("more_body"):
            break
    if size > MOST_BODY:
        raise _TooLarge
    return b"".join(parts)


async def _serve(
    load: Load, token: str, listener: socket.socket, count: int, ready: Callable[[int], None]
) -> None:
    workers = Workers(load, count)
    try:
        await workers.start()
        app = RewardApp(workers, token, {"suite": load.suite}, count)
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_keep_alive=60,
            timeout_graceful_shutdown=_END_S,
        )
        ready(workers.tasks)
        await uvicorn.Server(config).serve(sockets=[listener])
    finally:
        workers.stop()


def run_server(
    load: Load, token: str, listener: socket.socket, count: int, ready: Callable[[int], None]
) -> None:
    """Serve until SIGTERM or SIGINT; requests that are there are answered first.

    count: processes. ready: is called with the number of tasks. Raises ValueError with what is wrong with the tasks,
    WorkerLost where a process can't begin.
    """

    def stop(*_: object) -> NoReturn:
        raise SystemExit(0)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    asyncio.run(_serve(load, token, listener, count, ready))
