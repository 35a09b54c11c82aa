"""A server on a real socket that does exactly what a test tells it, byte by byte."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Script = Callable[["Exchange"], Awaitable[None]]


@dataclass
class Exchange:
    """One request, and the way back. headers: names in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    writer: asyncio.StreamWriter

    async def send(self, content: bytes | str) -> None:
        """Bytes as they are."""
        self.writer.write(content.encode() if isinstance(content, str) else content)
        await self.writer.drain()

    async def respond(
        self, status: int, content: str, kind: str = "application/json", **headers: str
    ) -> None:
        """A whole response."""
        more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        raw = content.encode()
        head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(raw)}\r\n{more}\r\n"
        await self.send(head.encode() + raw)

    async def open_stream(self) -> None:
        """The head of a response that ends with its connection."""
        await self.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")

    async def event(self, chunk: object) -> None:
        """One server-sent event."""
        await self.send(f"data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n")


@dataclass
class Server:
    """script: what is done with every request. seen: the requests. gone: set when a client has left. models: what a
    GET of /models answers, 404 for None; highest: requests at once."""

    url: str = ""
    models: object = None
    at_once: int = 0
    highest: int = 0
    script: Script | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    caller_left: threading.Event = field(default_factory=threading.Event)
    connections: int = 0

    async def serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until either side closes it."""
        self.connections += 1
        try:
            while exchange := await _request(reader, writer):
                if exchange.path.endswith("/models"):
                    await self._list(exchange)
                    continue
                self.exchanges.append(exchange)
                await self._attend(exchange)
                if writer.is_closing() or "stream" in exchange.body:
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.caller_left.set()
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            writer.close()

    async def _list(self, exchange: Exchange) -> None:
        await exchange.respond(404 if self.models is None else 200, json.dumps(self.models))

    async def _attend(self, exchange: Exchange) -> None:
        assert self.script is not None
        self.at_once += 1
        self.highest = max(self.highest, self.at_once)
        try:
            await self.script(exchange)
        finally:
            self.at_once -= 1


async def _request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Exchange | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    except asyncio.IncompleteReadError:
        return None
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:]) if name}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Exchange(head[0].split()[1], headers, json.loads(body or "{}"), writer)


@contextmanager
def serving() -> Iterator[Server]:
    """A server on a free port of this machine, in a thread of its own."""
    server, ready = Server(), threading.Event()
    over: list[Callable[[], object]] = []

    async def serve() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        over.append(lambda: loop.call_soon_threadsafe(stop.set))
        listening = await asyncio.start_server(server.serve_connection, "127.0.0.1", 0, backlog=512)
        server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await stop.wait()
        listening.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    ready.wait(5)
    try:
        yield server
    finally:
        over[0]()
        thread.join(5)


def piece(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """A chunk of a stream."""
    return {"model": "served", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def usage(prompt: int, completion: int, **more: Any) -> dict[str, Any]:
    """The chunk with the figures."""
    figures = {"prompt_tokens": prompt, "completion_tokens": completion, **more}
    return {"model": "served", "choices": [], "usage": figures}


def completion(content: str | None = "好的", finish: str = "stop", **message: Any) -> dict[str, Any]:
    """A whole answer."""
    said = {"role": "assistant", "content": content, **message}
    figures = {"prompt_tokens": 7, "completion_tokens": 3}
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return {"model": "served", "choices": [choice], "usage": figures}


def streams(*events: object) -> Script:
    """Send events, then close the connection."""

    async def script(exchange: Exchange) -> None:
        await exchange.open_stream()
        for event in events:
            await exchange.event(event)

    return script


def says(content: object, status: int = 200, kind: str = "application/json", **headers: str) -> Script:
    """Answer with a body; what is not text becomes JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    return lambda exchange: exchange.respond(status, text, kind, **headers)
