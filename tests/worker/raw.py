"""A server that answers with any bytes at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from tests.local_server import Handler, running_server

Answer = tuple[int, Mapping[str, str], bytes]
JSON = {"Content-Type": "application/json"}


@contextmanager
def raw_server(answer: Callable[[dict[str, Any]], Answer]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Its base address, and the requests that came."""
    seen: list[dict[str, Any]] = []

    class Raw(Handler):
        def do_POST(self) -> None:
            body = self.body()
            seen.append(body)
            status, headers, content = answer(body)
            with suppress(OSError):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
                self.wfile.flush()

    with running_server(Raw) as address:
        yield f"{address}/v1", seen


def whole(text: str = "", calls: tuple[tuple[str, str], ...] = (), **more: Any) -> Answer:
    """A completion with that text and those calls (name, arguments)."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": f"c{i}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for i, (name, arguments) in enumerate(calls)
        ]
    finish = more.pop("finish", "tool_calls" if calls else "stop")
    body = {
        "id": "x",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        **more,
    }
    return 200, JSON, json.dumps(body).encode()


def pieces(*deltas: dict[str, Any]) -> Answer:
    """A stream of these deltas, which ends with tool calls."""
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    lines = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks]
    return 200, {"Content-Type": "text/event-stream"}, b"".join(lines) + b"data: [DONE]\n\n"


def call(arguments: str, name: str | None = None) -> dict[str, Any]:
    """A piece of the first tool call."""
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": function}]}
