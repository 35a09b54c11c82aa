"""A local server that speaks /chat/completions."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

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


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    chat: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            return self.reply(404, "{}")
        return self.chat.note(body, self.headers["Authorization"])(self)

    def reply(self, status: int, body: str, **headers: str) -> None:
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the requests are in `ChatServer.requests`."""


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
    handler = type("Handler", (_Handler,), {"chat": chat})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.block_on_close = False
    chat.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield chat
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
