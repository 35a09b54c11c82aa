"""A local server that speaks /chat/completions."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.local_server import Handler, running_server

Reply = Callable[["_Handler"], None]


@dataclass
class ChatServer:
    """replies: one a request, the last one for ever. requests: the bodies that came. keys: their Authorization."""

    url: str = ""
    replies: deque[Reply] = field(default_factory=deque)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Start again."""
        for each in (self.replies, self.requests, self.keys):
            each.clear()

    def note(self, body: dict[str, Any], key: str | None) -> Reply:
        """Write a request down, and take the reply that it gets."""
        with self._lock:
            self.requests.append(body)
            self.keys.append(key)
            return self.replies.popleft() if len(self.replies) > 1 else self.replies[0]


class _Handler(Handler):
    chat: ChatServer

    def do_POST(self) -> None:
        body = self.body()
        if self.path != "/v1/chat/completions":
            return self.reply(404, "{}")
        return self.chat.note(body, self.headers["Authorization"])(self)


def completion(content: str | None, finish_reason: str = "stop") -> str:
    """A chat completion with that text."""
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return json.dumps({"id": "c-1", "object": "chat.completion", "choices": [choice], "usage": usage})


def says(content: str | None, finish_reason: str = "stop") -> Reply:
    """Answer with that text."""
    return lambda handler: handler.reply(200, completion(content, finish_reason))


def refuses(status: int, body: str = '{"error": {"message": "no"}}', **headers: str) -> Reply:
    """Answer with an HTTP status."""
    return lambda handler: handler.reply(status, body, **headers)


def silent(seconds: float) -> Reply:
    """Say nothing for so long, then close."""

    def reply(handler: _Handler) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return reply


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """A server on a free port of this machine."""
    chat = ChatServer()
    with running_server(_Handler, chat=chat) as address:
        chat.url = f"{address}/v1"
        yield chat
