"""What is asked of a model and what it answers, free of any library's types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from benchmark.models.setup import ModelSetup
from benchmark.models.tokens import TokenLog

Message = Mapping[str, Any]
"""A message as the chat completions protocol has it: role, content, and where they belong tool_calls, tool_call_id
and reasoning_content."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request.

    tools: OpenAI function definitions. temperature: what the role asks for; the endpoint's own setting goes before
    it. json_object: ask for a JSON object, where the endpoint can be told so. top_p: the share of the probability
    that tokens are drawn from, None for the server's own; an endpoint with a temperature of its own is sent none.
    """

    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    temperature: float = 0.0
    json_object: bool = False
    top_p: float | None = None


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """A tool call as the model wrote it. arguments: the raw text, which may be no JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counts them; cached and reasoning are parts of prompt and completion."""

    prompt: int
    completion: int
    cached: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer.

    text: without reasoning. reasoning: what a thinking model wrote beside it. finish_reason: `stop`, `length` or
    `tool_calls`, an unknown one as the server says it. note: how the answer was read where that is not plain. usage:
    None where the server gives none. model: as the server names itself. latency_ms: until the answer's end; first_ms:
    until its first piece, None where it did not come in pieces. tokens: as they were drawn, with thoughts, calls and
    marks where the server lists those; None where no log-probabilities were asked for, or none came.
    """

    text: str
    calls: tuple[RequestedCall, ...] = ()
    reasoning: str = ""
    finish_reason: str = "stop"
    usage: Usage | None = None
    model: str = ""
    latency_ms: float = 0.0
    first_ms: float | None = None
    note: str = ""
    tokens: TokenLog | None = None

    def with_note(self, note: str) -> Reply:
        """The same answer with one more note."""
        return replace(self, note="; ".join(filter(None, (self.note, note))))

    def without_tokens(self, change: Callable[[str], str]) -> Reply:
        """The same answer, without its tokens if `change` would change their words."""
        if self.tokens is None or change(self.tokens.text) == self.tokens.text:
            return self
        return replace(self, tokens=None).with_note(
            "its tokens are not kept, since some of its words are not"
        )

    def rewrite(self, change: Callable[[str], str]) -> Reply:
        """The same answer with each of its texts changed, wherever a server's words stand in it.

        Where the words of its tokens would change, it has no tokens any more.
        """
        kept = self.without_tokens(change)
        return replace(
            kept,
            text=change(self.text),
            reasoning=change(self.reasoning),
            calls=tuple(
                RequestedCall(change(call.id), change(call.name), change(call.arguments))
                for call in self.calls
            ),
            finish_reason=change(self.finish_reason),
            note=change(kept.note),
            model=change(self.model),
        )


class Model(Protocol):
    """A model as participants see it: one request, one answer; who retries, waits and counts stands behind it."""

    @property
    def setup(self) -> ModelSetup: ...

    def ask(self, request: ChatRequest) -> Reply:
        """One answer.

        Raises:
            ModelFailure: there is none.
        """
        ...


# Pieces of an answer while it comes.


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer, for people who watch: any of them may be dropped, the `Reply` has everything.

    kind: of the answer's words, of the thoughts before it, or of a tool call (its name, then its arguments).
    """

    kind: Literal["text", "reasoning", "call"]
    text: str


DeltaListener = Callable[[Delta], None]
