"""A server that speaks the documented `POST /embeddings`, and misbehaves when it is told to."""

from __future__ import annotations

import hashlib
import json
import socket
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from tests.local_server import Handler, running_server

DIMENSION = 16

Fault = Callable[["Embedding", dict[str, Any]], None]
"""Answers a request in a way of its own."""


def vector_of(text: str) -> list[float]:
    """Not of length 1, and another for every text."""
    return [byte / 16 - 8 for byte in hashlib.sha256(text.encode()).digest()[:DIMENSION]]


class Embedding(Handler):
    """One request; its server holds what to do."""

    owner: EmbeddingsServer

    def do_POST(self) -> None:
        body = self.body()
        self.owner.requests.append(self.path)
        self.owner.keys.append(self.headers["Authorization"])
        fault = self.owner.next_fault()
        if fault:
            fault(self, body)
        else:
            self.owner.texts += body["input"]
            self.answer(200, embeddings(body))

    def answer(self, status: int, answer: Any, **headers: str) -> None:
        self.reply(status, json.dumps(answer), **headers)


class EmbeddingsServer(ExitStack):
    """texts: what it embedded. requests, keys: path and Authorization of every request. faults: the next answers.

    broken: how it answers once it has embedded `breaks_after` texts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.requests: list[str] = []
        self.keys: list[str | None] = []
        self.faults: list[Fault] = []
        self.breaks_after: int | None = None
        self.fault: Fault = refuse(500)
        self.url = f"{self.enter_context(running_server(Embedding, owner=self))}/v1"

    def next_fault(self) -> Fault | None:
        if self.breaks_after is not None and len(self.texts) >= self.breaks_after:
            return self.fault
        return self.faults.pop(0) if self.faults else None


def embeddings(body: dict[str, Any]) -> dict[str, Any]:
    """The documented answer, in an order of its own: `index` tells which is which."""
    data = [
        {"object": "embedding", "index": at, "embedding": vector_of(text)}
        for at, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}


def refuse(status: int, **headers: str) -> Fault:
    return lambda handler, _: handler.answer(status, {"error": {"message": "no", "type": "x"}}, **headers)


def cut(handler: Embedding, _: dict[str, Any]) -> None:
    """Close the connection in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"object":')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def altered_answer(change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Fault:
    """The documented answer with another `data`."""

    def answer(handler: Embedding, body: dict[str, Any]) -> None:
        whole = embeddings(body)
        handler.answer(200, whole | {"data": change(whole["data"])})

    return answer


def says(answer: Any) -> Fault:
    return lambda handler, _: handler.answer(200, answer)
