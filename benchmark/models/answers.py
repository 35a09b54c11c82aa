"""One answer, put together from the chunks of a stream or read from a whole completion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.models.calls import CallAssembly
from benchmark.models.chat import Delta, Reply, Usage
from benchmark.models.thoughts import ThoughtSplitter, split_thoughts

_THOUGHTS = ("reasoning_content", "reasoning")
"""What servers call the thoughts beside an answer; some send them under both names."""
LONGEST_NAME = 200
"""Characters of a model's name, and of a finish reason."""
_MOST_TOKENS = 100_000_000
"""No request has more; what claims more is no count."""


class Answer:
    """An answer so far. ended: the server has said that no more comes (`[DONE]`, or a whole completion)."""

    def __init__(self) -> None:
        self.ended = False
        self._size = 0
        self.finish_reason = ""
        self._content: list[str] = []
        self._thoughts: list[str] = []
        self._splitter = ThoughtSplitter()
        self._calls = CallAssembly()
        self._usage: Usage | None = None
        self._model = ""

    @property
    def complete(self) -> bool:
        """Whether nothing of it is missing but perhaps the usage."""
        return self.ended or bool(self.finish_reason)

    @property
    def size(self) -> int:
        """Bytes of its words, thoughts and calls."""
        return self._size + self._calls.id_bytes

    def take(self, chunk: Mapping[str, Any]) -> list[Delta]:
        """A chunk, or a whole completion; what can be told of it."""
        self._model = _text(chunk.get("model"))[:LONGEST_NAME] or self._model
        choice = _first(chunk.get("choices"))
        self._usage = usage_in(chunk.get("usage")) or usage_in(choice.get("usage")) or self._usage
        if _text(choice.get("finish_reason")) not in ("", "null"):
            self.finish_reason = choice["finish_reason"][:LONGEST_NAME]
        said = choice.get("delta") or choice.get("message")
        told = self._said(said) if isinstance(said, Mapping) else []
        self._size += sum(len(delta.text.encode("utf-8", "surrogatepass")) for delta in told)
        return told

    def rest(self) -> list[Delta]:
        """What was held back, when nothing more comes."""
        return self._splitter.end()

    def reply(self, latency_ms: float, first_ms: float | None) -> Reply:
        """The answer as it is now."""
        thoughts, text = split_thoughts("".join(self._content))
        calls = self._calls.calls()
        return Reply(
            text=storable(text),
            calls=calls,
            reasoning=storable("".join(self._thoughts) or thoughts),
            finish_reason=self.finish_reason or ("tool_calls" if calls else "stop"),
            usage=self._usage,
            model=self._model,
            latency_ms=latency_ms,
            first_ms=first_ms,
        )

    def _said(self, said: Mapping[str, Any]) -> list[Delta]:
        thought = next((text for name in _THOUGHTS if (text := _text(said.get(name)))), "")
        told = [Delta("reasoning", thought)] if thought else []
        self._thoughts.append(thought)
        if content := _content(said.get("content")):
            self._content.append(content)
            told += self._splitter.take(content)
        calls = said.get("tool_calls")
        return told + (self._calls.take(calls) if isinstance(calls, list) else [])


def usage_in(figures: object) -> Usage | None:
    """The tokens of a `usage` object, None where it is no such object, or a figure of it can be no count.

    Where there are more thoughts than completion, the server counts the thoughts apart (xAI).
    """
    if not isinstance(figures, Mapping):
        return None
    prompt, completion = _whole(figures.get("prompt_tokens")), _whole(figures.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    cached = _within(figures, "prompt_tokens_details", "cached_tokens")
    cached = cached or _whole(figures.get("prompt_cache_hit_tokens")) or _whole(figures.get("cached_tokens"))
    thoughts = _within(figures, "completion_tokens_details", "reasoning_tokens")
    thoughts = thoughts or 0
    completion += thoughts if thoughts > completion else 0
    counts = (prompt, completion, cached or 0, thoughts)
    return Usage(*counts) if all(0 <= count <= _MOST_TOKENS for count in counts) else None


def storable(text: str) -> str:
    """The text without what no database takes: NUL, and half a surrogate pair. Halves that belong together, in
    pieces of an answer, are joined."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\0", "\ufffd")


def _within(figures: Mapping[str, Any], part: str, name: str) -> int | None:
    details = figures.get(part)
    return _whole(details.get(name)) if isinstance(details, Mapping) else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _first(choices: object) -> Mapping[str, Any]:
    """The choice of index 0: no more are asked for."""
    if isinstance(choices, list):
        for choice in choices:
            if isinstance(choice, Mapping) and choice.get("index", 0) in (0, None):
                return choice
    return {}


def _content(value: object) -> str:
    """The text; some servers send it in parts."""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, Mapping))
    return _text(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
