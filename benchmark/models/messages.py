"""What one message of a model holds, or a piece of one, as the servers of the world write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
"""What servers call the thoughts beside an answer; some send them under several names."""
_PARTS_OF_THOUGHT = ("thinking", "reasoning", "reasoning_content", "thought")
"""The types of parts that are thoughts: Mistral, Anthropic."""
_PARTS_OF_CALL = ("tool_use", "tool_call", "function_call")
"""The types of parts that are calls: Anthropic, and gateways to it."""
_TEXTS = ("text", "thinking", "reasoning", "summary", "refusal", "content")


@dataclass(frozen=True, slots=True)
class MessageContent:
    """Words, thoughts and calls; calls: as they were sent."""

    text: str
    thought: str = ""
    calls: Sequence[Any] = ()


def read_message(said: Mapping[str, Any]) -> MessageContent:
    """What a delta or a message says. A refusal (OpenAI) is what the model says, and so words."""
    text, thought = _content(said.get("content"))
    beside = next((thought_text for name in _THOUGHTS if (thought_text := _text(said.get(name)))), "")
    thought = beside or thought or _texts(said.get("reasoning_details"))
    return MessageContent(text + _text(said.get("refusal")), thought, _calls(said))


def _calls(said: Mapping[str, Any]) -> Sequence[Any]:
    """The calls. The older `function_call` is one; who sends both means one. Some stand among the parts of words."""
    calls, call = said.get("tool_calls"), said.get("function_call")
    if isinstance(calls, list) and calls:
        return calls
    if isinstance(calls, Mapping) and calls:
        return [calls]
    if isinstance(call, Mapping) and call:
        return [{"index": 0, "function": call}]
    parts = said.get("content")
    parts = parts if isinstance(parts, list) else [parts]
    return [part for part in parts if isinstance(part, Mapping) and part.get("type") in _PARTS_OF_CALL]


def _content(value: object) -> tuple[str, str]:
    """(words, thoughts); some servers send the content in parts, or one part alone."""
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        return _text(value), ""
    words: list[str] = []
    thoughts: list[str] = []
    for part in value:
        is_thought = isinstance(part, Mapping) and part.get("type") in _PARTS_OF_THOUGHT
        (thoughts if is_thought else words).append(_texts(part))
    return "".join(words), "".join(thoughts)


def _texts(part: object) -> str:
    """All text of a part, which may hold parts itself."""
    if isinstance(part, list):
        return "".join(map(_texts, part))
    if isinstance(part, Mapping):
        return next((texts for name in _TEXTS if (texts := _texts(part.get(name)))), "")
    return _text(part)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
