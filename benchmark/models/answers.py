"""One answer, put together from the chunks of a stream or read from a whole completion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmark.models.calls import CallAssembly
from benchmark.models.chat import Delta, Reply, Usage
from benchmark.models.finishes import ending_of, tells_more
from benchmark.models.messages import MessageContent, read_message
from benchmark.models.thoughts import ThoughtSplitter, split
from benchmark.models.tokens import TokenAssembly

LONGEST_NAME = 200
"""Characters of a model's name, and of a finish reason."""
_SHORTEST_REPEAT = 30
"""Characters from which a piece that equals all before it is taken as their repetition."""
_MOST_TOKENS = 100_000_000
"""No request has more; what claims more is no count."""


class Answer:
    """An answer so far. ended: the server has said that no more comes (`[DONE]`, or a whole completion).

    has_tokens: log-probabilities were asked for; else those that come are nobody's wish, and are not read.
    """

    def __init__(self, *, has_tokens: bool = False) -> None:
        self.ended = False
        self.finish_reason = ""
        self._content: list[str] = []
        self._thoughts: list[str] = []
        self._splitter = ThoughtSplitter()
        self._calls = CallAssembly()
        self._size, self._in_deltas = 0, False
        self._usage: Usage | None = None
        self._model = ""
        self._tokens = TokenAssembly() if has_tokens else None

    @property
    def complete(self) -> bool:
        """Whether nothing of it is missing but perhaps the usage."""
        return self.ended or bool(self.finish_reason)

    @property
    def sound(self) -> bool:
        """Whether it is complete, and its server says that nothing went wrong."""
        return self.complete and ending_of(self.finish_reason) in ("stop", "tool_calls", "length", None)

    @property
    def size(self) -> int:
        """Bytes of its words, thoughts and calls."""
        return self._size + self._calls.id_bytes

    def take(self, chunk: Mapping[str, Any]) -> list[Delta]:
        """A chunk, or a whole completion; what can be told of it."""
        self._model = _text(chunk.get("model"))[:LONGEST_NAME] or self._model
        choice = first_choice(chunk)
        self._usage = usage_in(chunk.get("usage")) or usage_in(choice.get("usage")) or self._usage
        self.finish_reason = _reason(choice) or self.finish_reason
        if self._tokens is not None:
            self._tokens.take(choice, after_pieces=self._in_deltas)
        told = self._deltas_of(choice)
        self._size += sum(len(delta.text.encode("utf-8", "surrogatepass")) for delta in told)
        return told

    def rest(self) -> list[Delta]:
        """What was held back, when nothing more comes."""
        return self._splitter.end()

    def reply(self, latency_ms: float, first_ms: float | None) -> Reply:
        """The answer as it is now."""
        split_text = split("".join(self._content))
        calls = (*self._calls.calls(), *split_text.calls)
        return Reply(
            text=storable(split_text.words),
            calls=calls,
            reasoning=storable(_join_thoughts("".join(self._thoughts), split_text.thoughts)),
            finish_reason=self.finish_reason or ("tool_calls" if calls else "stop"),
            usage=self._usage,
            model=self._model,
            latency_ms=latency_ms,
            first_ms=first_ms,
            note=self._tokens.problem if self._tokens else "",
            tokens=self._tokens.log() if self._tokens else None,
        )

    def _deltas_of(self, choice: Mapping[str, Any]) -> list[Delta]:
        delta, message = choice.get("delta"), choice.get("message")
        told: list[Delta] = []
        if isinstance(delta, Mapping) and delta:
            told += self._take(self._without_repeats(read_message(delta)))
            self._in_deltas = True
        if isinstance(message, Mapping):
            told += self._whole(read_message({**message, **_calls_beside(choice)}))
        elif not delta and (text := _text(choice.get("text"))):
            told += self._whole(MessageContent(text)) if self._in_deltas else self._take(MessageContent(text))
        return told

    def _without_repeats(self, written: MessageContent) -> MessageContent:
        """A piece without what is all that came before once more: some servers end a stream so."""
        text = "" if _repeats(written.text, self._content) else written.text
        thought = "" if _repeats(written.thought, self._thoughts) else written.thought
        return MessageContent(text, thought, written.calls)

    def _whole(self, written: MessageContent) -> list[Delta]:
        """A message where pieces came before: the last chunk of some servers holds all of it once more.

        What a stream of messages has not said before goes on from there.
        """
        said = "".join(self._content)
        if self._in_deltas or (len(said) > 0 and written.text.startswith(said)):
            written = self._replace_text(written, said)
        return self._take(written)

    def _replace_text(self, written: MessageContent, said: str) -> MessageContent:
        """Forget what the message has anew; what of its words is still to be told."""
        if written.calls:
            self._calls = CallAssembly()
        if written.thought:
            self._thoughts = []
        if not written.text or written.text == said:
            return MessageContent("", written.thought, written.calls)
        if written.text.startswith(said):
            return MessageContent(written.text.removeprefix(said), written.thought, written.calls)
        self._content, self._splitter = [], ThoughtSplitter()
        return written

    def _take(self, written: MessageContent) -> list[Delta]:
        told = [Delta("reasoning", written.thought)] if written.thought else []
        self._thoughts.append(written.thought)
        if written.text:
            self._content.append(written.text)
            told += self._splitter.take(written.text)
        return told + self._calls.take(written.calls)


def _repeats(piece: str, before: Sequence[str]) -> bool:
    """Whether a piece is all pieces before it. A short one may be a word that is said twice."""
    if len(piece) < _SHORTEST_REPEAT or not piece.endswith(before[-1] if before else "\0"):
        return False
    return len([part for part in before if part]) > 1 and piece == "".join(before)


def _calls_beside(choice: Mapping[str, Any]) -> dict[str, Any]:
    """Calls that stand on the choice and not on its message."""
    return {name: choice[name] for name in ("tool_calls", "function_call") if choice.get(name)}


def _join_thoughts(beside: str, within: str) -> str:
    """The thoughts that came beside the answer and those in its text; some servers send the same in both places."""
    if not within or within == beside.strip():
        return beside or within
    return f"{beside.rstrip()}\n\n{within}" if beside.strip() else within


def _reason(choice: Mapping[str, Any]) -> str:
    """Why an answer ended, "" where that is not said. A gateway's `stop` may hide what its model's server said.

    `stop_reason` counts where nothing else does: vLLM has there at which word it stopped.
    """
    reasons = (_word(choice.get(name)) for name in ("finish_reason", "finish_details", "stop_reason"))
    told = next(filter(None, reasons), "")
    native = _word(choice.get("native_finish_reason"))
    return native if tells_more(native, told) else told


def _word(reason: object) -> str:
    if isinstance(reason, Mapping):  # SGLang's own form
        reason = reason.get("type")
    text = _text(reason).strip()[:LONGEST_NAME]
    return "" if text.lower() in ("null", "none") else text


def usage_in(figures: object) -> Usage | None:
    """The tokens of a `usage` object, None where it is no such object, or a figure of it can be no count.

    Where there are more thoughts than completion, the server counts the thoughts apart (xAI).
    """
    if not isinstance(figures, Mapping):
        return None
    prompt, completion = _whole(figures.get("prompt_tokens")), _whole(figures.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    cached = _nested_count(figures, "prompt_tokens_details", "cached_tokens")
    cached = cached or _whole(figures.get("prompt_cache_hit_tokens")) or _whole(figures.get("cached_tokens"))
    thoughts = _nested_count(figures, "completion_tokens_details", "reasoning_tokens")
    thoughts = thoughts or 0
    completion += thoughts if thoughts > completion else 0
    counts = (prompt, completion, cached or 0, thoughts)
    return Usage(*counts) if all(0 <= count <= _MOST_TOKENS for count in counts) else None


def storable(text: str) -> str:
    """The text without what no database takes: NUL, and half a surrogate pair. Halves that belong together, in
    pieces of an answer, are joined."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\0", "\ufffd")


def _nested_count(figures: Mapping[str, Any], part: str, name: str) -> int | None:
    details = figures.get(part)
    return _whole(details.get(name)) if isinstance(details, Mapping) else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def first_choice(chunk: Mapping[str, Any]) -> Mapping[str, Any]:
    """The choice of index 0: no more are asked for."""
    choices = chunk.get("choices")
    if isinstance(choices, list):
        for choice in choices:
            if isinstance(choice, Mapping) and choice.get("index", 0) in (0, None):
                return choice
    return {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
