"""One row of the tables of wire forms: what a server sends, and what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.benchmark.models.server import piece, usage

TOOLS = tuple(
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in ("get_weather", "search_poi")
)
EVENTS = "text/event-stream"
HELLO = piece("stop", content="Hello")


@dataclass(frozen=True)
class Form:
    """A response, and what becomes of it: an answer (text …) or a failure (kind …).

    calls: name and arguments of each. error_text, helps: parts of the failure's message. wait: seconds asked for.
    """

    name: str
    body: bytes
    status: int = 200
    headers: str = "Content-Type: application/json"
    text: str = ""
    thought: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    finish: str = ""
    note: str = ""
    kind: str = ""
    error_text: str = ""
    helps: str = ""
    wait: float | None = None


def stream(name: str, *events: object, **expected: Any) -> Form:
    """Events, but for bytes and texts, which are sent as they are."""
    return Form(name, b"".join(map(_event, events)), headers=f"Content-Type: {EVENTS}", **expected)


def _event(event: object) -> bytes:
    if isinstance(event, bytes):
        return event
    return event.encode() if isinstance(event, str) else f"data: {json.dumps(event)}\n\n".encode()


def whole(name: str, body: object, status: int = 200, headers: str = "", **expected: Any) -> Form:
    """One JSON object, or a text as it is."""
    content = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else None
    raw = json.dumps(body, ensure_ascii=False).encode() if content is None else content
    return Form(name, raw, status, f"Content-Type: application/json\r\n{headers}".strip(), **expected)


def error(name: str, status: int, kind: str, message: object, headers: str = "", **expected: Any) -> Form:
    """An HTTP error; a text becomes the usual object."""
    body = {"error": {"message": message}} if isinstance(message, str) else message
    return whole(name, body, status, headers, kind=kind, **expected)


DONE_LINE = "data: [DONE]\n\n"


def message_of(finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}]}


ARGUMENTS = '{"city":"A"}'
WEATHER_CALL = {"calls": (("get_weather", ARGUMENTS),), "finish": "tool_calls"}


def call_piece(
    arguments: object, name: str | None = None, index: int | None = 0, id: str | None = None
) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    place = {key: value for key, value in (("index", index), ("id", id)) if value is not None}
    return piece(tool_calls=[{**place, "type": "function", "function": function}])


def call_stream(
    name: str, *parts: dict[str, Any], finish: str = "tool_calls", ended: str = "tool_calls", **expected: Any
) -> Form:
    """Pieces of a call and the reason why the answer ended. ended: what is made of that reason."""
    expected = {"calls": WEATHER_CALL["calls"], "finish": ended, **expected}
    return stream(name, *parts, piece(finish), usage(10, 5), DONE_LINE, **expected)


OVERFLOW = "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens"


def in_place_of_answer(name: str, body: object, **expected: Any) -> Iterator[Form]:
    """An error object with status 200: as a body, and at each place of a stream."""
    line = json.dumps(body, ensure_ascii=False)
    yield whole(f"error, {name}", body, **expected)
    yield stream(f"error, {name}, in a stream", piece(content="Hel"), body, DONE_LINE, **expected)
    yield stream(f"error, {name}, first in a stream", f"data: {line}\n\n", **expected)
    yield stream(f"error, {name}, after comments", ": PROCESSING\n\n", ": PROCESSING\n\n", line, **expected)
    yield stream(f"error, {name}, plain in a stream", piece(content="Hel"), f"\n{line}\n", **expected)
