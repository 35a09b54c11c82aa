"""A run record's messages as judges see them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def transcript(messages: Iterable[Mapping[str, Any]]) -> str:
    """Words, calls and results, a line or more each, in their order; without system messages, results uncut.

    Arguments are JSON with an indent of two. "" for no messages, as of a crash.
    """
    return "\n".join(line for message in messages for line in _lines(message))


def _lines(message: Mapping[str, Any]) -> Iterator[str]:
    content = message.get("content", "")
    match message.get("role"):
        case "user":
            yield f"user: {content}"
        case "assistant":
            yield from map(_call, message.get("tool_calls") or ())
            if content:
                yield f"assistant: {content}"
        case "tool":
            yield f"tool_response: {message.get('name', 'unknown')} {content}"


def _call(call: Mapping[str, Any]) -> str:
    arguments = json.dumps(call.get("arguments", {}), ensure_ascii=False, indent=2)
    return f"assistant tool_calls: {call.get('name', 'unknown')} ({arguments})"
