"""What a policy may do: answer as a chat model does, in words or by tool calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from benchmark.core.engine import MOST_CALLS
from benchmark.jsonlines import read_json
from benchmark.models import ModelFailure, Reply
from benchmark.models.answers import Answer
from benchmark.models.reading import MOST_BYTES
from benchmark.text import guarded

_PARTS: Final = ("content", "tool_calls", "reasoning_content")
_MESSAGE: Final = guarded.compile(r'\s*\{\s*"(?:role|content|tool_calls|reasoning_content)"\s*:')
"""How a text begins that is a message in JSON."""

ACTION_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "content": {"type": "string"},
        "tool_calls": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "arguments": {"type": ["object", "string"]}},
            },
        },
        "reasoning_content": {"type": "string"},
    },
}


def read_action(action: object, latency_ms: float = 0.0) -> Reply | ModelFailure:
    """An answer of the policy, or what is wrong with it; never raises.

    action: a message as the chat completions protocol has it ({"content": …, "tool_calls": […]}), as an object or
    as JSON; any other text is said as it is. latency_ms: how long the policy took.
    """
    try:
        message = _message(action)
        answer = Answer()
        answer.take({"choices": [{"message": message}]})
        reply = answer.reply(latency_ms, None)
    except _TooLong:
        words = f"the action is longer than {MOST_BYTES:,} bytes, and was not read; write a shorter one"
        return ModelFailure("oversized", words, answering=True, latency_ms=latency_ms)
    except (ValueError, TypeError, RecursionError) as error:
        return ModelFailure("malformed", f"the action: {error}", answering=True, latency_ms=latency_ms)
    if len(reply.calls) > MOST_CALLS:
        words = f"the action makes {len(reply.calls)} calls; {MOST_CALLS} are the most"
        return ModelFailure("malformed", words, answering=True, latency_ms=latency_ms)
    return reply


class _TooLong(Exception):
    """An action that nobody reads."""


def _message(action: object) -> Mapping[str, Any]:
    if isinstance(action, str):
        written = action.encode("utf-8", "surrogatepass")
        _refuse_long(written)
        if _MESSAGE.match(action) is None:
            return {"content": action}
        action = read_json(written)
    elif isinstance(action, Mapping):
        _refuse_long(_as_bytes(action))
    if not isinstance(action, Mapping):
        raise ValueError("give a text, or a message with content and tool_calls")
    if not any(action.get(part) for part in _PARTS):
        raise ValueError("it holds neither content nor tool_calls; write a message or call a tool")
    if not isinstance(action.get("content"), str | list | None):
        raise ValueError("content: this is no text")
    calls = action.get("tool_calls")
    if not isinstance(calls, list | None) or not all(isinstance(call, Mapping) for call in calls or ()):
        raise ValueError('tool_calls: give a list of {"name": …, "arguments": {…}}')
    return action


def _as_bytes(action: Mapping[str, Any]) -> bytes:
    """Raises TypeError for what is no JSON."""
    try:
        return orjson.dumps(action)
    except TypeError as error:  # lone surrogates, deep nesting, long figures, and what is no JSON at all
        raise ValueError(f"this is no JSON ({error})") from error


def _refuse_long(written: bytes) -> None:
    if len(written) > MOST_BYTES:
        raise _TooLong
