"""Answers in the shapes of the chat completions protocol: one object, or chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.model_server.drawn_tokens import OPTION, DrawnTokens
from tests.model_server.request import ModelRequest, Refusal, text_of

CREATED_AT = 1_760_000_000
"""The same in all answers: equal requests get equal answers."""
_PIECES, _SHORTEST = 40, 6
_CALL_PIECES = 3


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. arguments: the text as the model writes it, JSON or not."""

    name: str
    arguments: str

    @classmethod
    def of(cls, name: str, **arguments: Any) -> Call:
        """A call with well-formed arguments."""
        return cls(name, json.dumps(arguments, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a personality says."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    reasoning: str = ""

    def cut_to(self, most: int | None) -> Answer:
        """The answer cut after `most` tokens of text; calls are never cut."""
        if most is None or self.calls:
            return self
        return Answer(self.text[: 4 * most], (), self.reasoning)

    def fitting(self, room: int) -> Answer:
        """The answer as far as it comes before the context is full: then even calls break off, as words do."""
        if tokens(self.text) + sum(tokens(call.name + call.arguments) for call in self.calls) <= room:
            return self
        words = self.text or "".join(call.name + call.arguments for call in self.calls)
        return Answer(words[: 4 * room], (), self.reasoning)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Four characters are a token. cached: the first message, where more than two came; a part of prompt."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    reasoning: int = 0

    def usage(self) -> dict[str, Any]:
        """As the protocol writes it."""
        return {
            "prompt_tokens": self.prompt,
            "completion_tokens": self.completion,
            "total_tokens": self.prompt + self.completion,
            "prompt_tokens_details": {"cached_tokens": self.cached},
            "completion_tokens_details": {"reasoning_tokens": self.reasoning},
        }


def tokens(text: str) -> int:
    """Tokens of a text, rounded up."""
    return -(-len(text) // 4)


def _length(value: Any) -> int:
    return tokens(json.dumps(value, ensure_ascii=False))


def count(asked: ModelRequest, answer: Answer) -> Tokens:
    """What the request and its answer cost."""
    prompt = sum(_length(part) for part in (*asked.messages, *asked.tools))
    reasoning = tokens(answer.reasoning)
    written = tokens(answer.text) + sum(tokens(call.name + call.arguments) for call in answer.calls)
    cached = tokens(text_of(asked.messages[0])) if len(asked.messages) > 2 else 0
    return Tokens(prompt, reasoning + written, min(cached, prompt), reasoning)


def _room(asked: ModelRequest, context: int) -> int:
    """Tokens that are left for an answer; llama.cpp refuses a request that leaves none, in these words."""
    prompt = count(asked, Answer()).prompt
    if prompt >= context:
        raise Refusal(
            400,
            f"request ({prompt} tokens) exceeds the available context size ({context} tokens), try increasing it",
            "exceed_context_size_error",
        )
    return context - prompt


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer ready to be sent."""

    request: ModelRequest
    answer: Answer
    finish_reason: str = "stop"
    tokens: Tokens = field(default_factory=Tokens)

    @classmethod
    def of(cls, asked: ModelRequest, whole: Answer, context: int | None = None) -> Completion:
        """Cut to the tokens that the request and the server's context allow, and counted.

        Raises:
            Refusal: the request alone fills the context.
        """
        answer = whole.cut_to(asked.max_tokens)
        if context is not None:
            answer = answer.fitting(_room(asked, context))
        cut = len(answer.text) < len(whole.text) or len(answer.calls) < len(whole.calls)
        reason = "tool_calls" if answer.calls else "length" if cut else "stop"
        return cls(asked, answer, reason, count(asked, answer))

    def cut_by_filter(self) -> Completion:
        """The same as a content filter leaves it: its first half."""
        answer = Answer(self.answer.text[: len(self.answer.text) // 2], (), self.answer.reasoning)
        return Completion(self.request, answer, "content_filter", count(self.request, answer))

    def _drawn_tokens(self) -> DrawnTokens:
        """The tokens that the answer is drawn in, none where they were not asked for."""
        return DrawnTokens(self.request.name.options.get(OPTION, "") if self.request.logprobs else "none")

    def _whole_logprobs(self) -> dict[str, Any] | None:
        """Those of all parts, as they are written."""
        drawn, answer = self._drawn_tokens(), self.answer
        parts = (
            [drawn.piece(_thoughts(answer.reasoning), visible=False, last=True)] if answer.reasoning else []
        )
        parts += [drawn.piece(answer.text, last=True)] if answer.text else []
        parts += [drawn.piece(_marked_call(call), visible=False, last=True) for call in answer.calls]
        listed = [part["content"] for part in parts if part is not None]
        return (
            {"content": [token for content in listed for token in content], "refusal": None}
            if listed
            else None
        )

    def body(self) -> dict[str, Any]:
        """The object that a plain request gets."""
        message: dict[str, Any] = {"role": "assistant", "content": self.answer.text or None}
        if not self.answer.calls:
            message["content"] = self.answer.text
        if self.answer.reasoning:
            message["reasoning_content"] = self.answer.reasoning
        if self.answer.calls:
            message["tool_calls"] = [self._call(at, call) for at, call in enumerate(self.answer.calls)]
        choice = {
            "index": 0,
            "message": message,
            "logprobs": self._whole_logprobs(),
            "finish_reason": self.finish_reason,
        }
        return {**self._head("chat.completion"), "choices": [choice], "usage": self.tokens.usage()}

    def chunks(self) -> Iterator[dict[str, Any]]:
        """The objects that a streaming request gets, without the last `[DONE]`."""
        drawn = self._drawn_tokens()
        yield self._chunk({"role": "assistant", "content": ""})
        thoughts = [*pieces(self.answer.reasoning)]
        for at, piece in enumerate(thoughts):
            is_last = at == len(thoughts) - 1
            marked = f"{_OPEN if at == 0 else ''}{piece}{_CLOSE if is_last else ''}"
            logprobs = drawn.piece(marked, visible=False, last=is_last)
            yield self._chunk({"reasoning_content": piece}, logprobs=logprobs)
        words = [*pieces(self.answer.text)]
        for at, piece in enumerate(words):
            yield self._chunk({"content": piece}, logprobs=drawn.piece(piece, last=at == len(words) - 1))
        for at, call in enumerate(self.answer.calls):
            yield from self._call_chunks(at, call, drawn)
        yield self._chunk({}, self.finish_reason)
        if self.request.include_usage:
            yield {**self._head("chat.completion.chunk"), "choices": [], "usage": self.tokens.usage()}

    def _call_chunks(self, at: int, call: Call, drawn: DrawnTokens) -> Iterator[dict[str, Any]]:
        """The name with the first delta, the arguments in pieces under the same index; all tokens with the first."""
        opened = self._call(at, call)
        yield self._chunk(
            {"tool_calls": [{**opened, "index": at, "function": {"name": call.name, "arguments": ""}}]},
            logprobs=drawn.piece(_marked_call(call), visible=False, last=True),
        )
        size = max(1, -(-len(call.arguments) // _CALL_PIECES))
        for start in range(0, len(call.arguments), size):
            piece = {"index": at, "function": {"arguments": call.arguments[start : start + size]}}
            yield self._chunk({"tool_calls": [piece]})

    def _call(self, at: int, call: Call) -> dict[str, Any]:
        function = {"name": call.name, "arguments": call.arguments}
        return {"id": f"call_{self.request.digest[:12]}_{at}", "type": "function", "function": function}

    def _chunk(
        self,
        delta: dict[str, Any],
        finish_reason: str | None = None,
        logprobs: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": finish_reason}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def _head(self, kind: str) -> dict[str, Any]:
        digest = self.request.digest
        return {
            "id": f"chatcmpl-{digest}",
            "object": kind,
            "created": CREATED_AT,
            "model": self.request.name.whole,
        }


_OPEN, _CLOSE = "<think>\n", "\n</think>\n\n"


def _thoughts(reasoning: str) -> str:
    """As a model writes them before its server takes the marks off."""
    return f"{_OPEN}{reasoning}{_CLOSE}"


def _marked_call(call: Call) -> str:
    """A call as a model writes it."""
    return f'<tool_call>\n{{"name": "{call.name}", "arguments": {call.arguments}}}\n</tool_call>'


def pieces(text: str) -> Iterator[str]:
    """A text in at most forty pieces."""
    size = max(_SHORTEST, -(-len(text) // _PIECES))
    for start in range(0, len(text), size):
        yield text[start : start + size]
