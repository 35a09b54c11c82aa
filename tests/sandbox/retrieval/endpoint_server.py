"""A server that speaks the documented `POST /embeddings`, and misbehaves when it is told to."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSION = 16

Fault = Callable[["Handler", dict[str, Any]], None]
"""Answers a request in a way of its own."""


def vector_of(text: str) -> list[float]:
    """Not of length 1, and another for every text."""
    return [byte / 16 - 8 for byte in hashlib.sha256(text.encode()).digest()[:DIMENSION]]


class Handler(BaseHTTPRequestHandler):
    """One request; its server holds what to do."""

    disable_nagle_algorithm = True
    wbufsize = -1
    protocol_version = "HTTP/1.1"
    server: Listener

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        owner = self.server.owner
        owner.requests.append(self.path)
        owner.keys.append(self.headers["Authorization"])
        fault = owner.next_fault()
        if fault:
            fault(self, body)
        else:
            owner.texts += body["input"]
            self.reply(200, embeddings(body))

    def reply(self, status: int, answer: Any, **headers: str) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests are quiet."""


class Listener(ThreadingHTTPServer):
    """The socket of an `EmbeddingsServer`."""

    daemon_threads = True
    owner: EmbeddingsServer


class EmbeddingsServer:
    """texts: what it embedded. requests, keys: path and Authorization of every request. faults: the next answers.

    broken: how it answers once it has embedded `breaks_after` texts.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.requests: list[str] = []
        self.keys: list[str | None] = []
        self.faults: list[Fault] = []
        self.breaks_after: int | None = None
        self.broken: Fault = refuse(500)
        self._listener = Listener(("127.0.0.1", 0), Handler)
        self._listener.owner = self
        self.url = f"http://127.0.0.1:{self._listener.server_address[1]}/v1"

    def next_fault(self) -> Fault | None:
        if self.breaks_after is not None and len(self.texts) >= self.breaks_after:
            return self.broken
        return self.faults.pop(0) if self.faults else None

    def __enter__(self) -> EmbeddingsServer:
        threading.Thread(target=self._listener.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._listener.server_close()


def embeddings(body: dict[str, Any]) -> dict[str, Any]:
    """The documented answer, in an order of its own: `index` tells which is which."""
    data = [
        {"object": "embedding", "index": at, "embedding": vector_of(text)}
        for at, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}


def refuse(status: int, **headers: str) -> Fault:
    return lambda handler, _: handler.reply(status, {"error": {"message": "no", "type": "x"}}, **headers)


def cut(handler: Handler, _: dict[str, Any]) -> None:
    """Close the connection in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"object":')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def altered(change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Fault:
    """The documented answer with another `data`."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        whole = embeddings(body)
        handler.reply(200, whole | {"data": change(whole["data"])})

    return answer


def says(answer: Any) -> Fault:
    return lambda handler, _: handler.reply(200, answer)
