"""Testing an endpoint: a handful of small requests that show what works."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchmark.models.bridge import run
from benchmark.models.chat import ChatRequest, Reply
from benchmark.models.client import ModelClient
from benchmark.models.dialects import limit_parameter
from benchmark.models.failures import FailureKind, ModelFailure
from benchmark.models.setup import LimitParameter, ModelSetup, ToolProtocol

Capability = Literal["chat", "streaming", "tools", "parallel_tools", "structured_output", "usage"]

_SILENCE_S, _WHOLE_S = 20.0, 45.0
_LONGEST = 2048
"""Tokens, so that a model which thinks first still comes to its answer."""
_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of today in one city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Name of the city."}},
            "required": ["city"],
        },
    },
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether one thing works. detail: what was seen, or why not. latency_ms: of its request, 0 where there was none.

    failure: the kind of failure where the request got no answer, else None.
    """

    capability: Capability
    works: bool
    detail: str
    latency_ms: float = 0.0
    failure: FailureKind | None = None


@dataclass(frozen=True, slots=True)
class Probe:
    """What an endpoint can do. findings: of chat alone where chat does not work.

    model: as the server names itself. tools, streams, json_mode, limit_parameter: the settings that work, the
    setup's own where nothing was found out.
    """

    findings: tuple[Finding, ...]
    model: str
    tools: ToolProtocol
    streams: bool
    json_mode: bool
    limit_parameter: LimitParameter

    @property
    def works(self) -> bool:
        """Whether a session can be held with it: everything else has a way around it."""
        return self.findings[0].works


@dataclass(frozen=True, slots=True)
class _Asked:
    reply: Reply | None
    failure: ModelFailure | None

    @property
    def latency_ms(self) -> float:
        return self.reply.latency_ms if self.reply else self.failure.latency_ms if self.failure else 0.0

    def found(self, capability: Capability, works: bool, detail: str) -> Finding:
        """A finding; where there was no answer, that it does not work and why."""
        if self.failure:
            return Finding(capability, False, str(self.failure), self.latency_ms, self.failure.kind)
        return Finding(capability, works, detail, self.latency_ms)


def probe(setup: ModelSetup) -> Probe:
    """Test an endpoint. Takes up to three requests' time, each of 45 s at most; raises nothing of the endpoint's."""
    return run(examine(setup))


async def examine(setup: ModelSetup) -> Probe:
    """The same in an event loop: first chat, whole and in pieces; then, in the way that works, the rest at once."""
    setup = _bounded(setup)
    setup, whole, pieces = await _chat(setup)
    reply = whole.reply or pieces.reply
    if reply is None:
        chat = whole.found("chat", False, "")
        return Probe((chat,), "", setup.tools, setup.streams, setup.json_mode, limit_parameter(setup))
    setup = setup.model_copy(update={"streams": pieces.reply is not None})
    chat = (whole if whole.reply else pieces).found("chat", True, f"“{reply.text.strip()[:80]}”")
    tools, parallel, structured = await asyncio.gather(_tools(setup), _parallel(setup), _structured(setup))
    return Probe(
        (chat, _streaming(pieces), tools, parallel, structured, _usage(whole, pieces)),
        reply.model,
        "native" if tools.works else "text",
        setup.streams,
        structured.works,
        limit_parameter(setup),
    )


def _bounded(setup: ModelSetup) -> ModelSetup:
    return setup.model_copy(
        update={
            "timeout_s": min(setup.timeout_s, _SILENCE_S),
            "deadline_s": min(setup.deadline_s, _WHOLE_S),
            "max_tokens": min(setup.max_tokens, _LONGEST),
            "tools": "native",
            "json_mode": True,
        }
    )


async def _chat(setup: ModelSetup) -> tuple[ModelSetup, _Asked, _Asked]:
    """The setup with the name of the limit that is taken; the answers as a whole and in pieces."""
    whole = await _ask(setup, _request("Reply with the single word: ready"), streams=False)
    if _refuses_limit(whole):
        renamed = setup.model_copy(update={"limit_parameter": _other(limit_parameter(setup))})
        again = await _ask(renamed, _request("Reply with the single word: ready"), streams=False)
        setup, whole = (setup, whole) if _refuses_limit(again) else (renamed, again)
    if whole.failure and whole.failure.kind in ("auth", "not_found", "connection"):
        return setup, whole, whole
    pieces = await _ask(setup, _request("Count from one to ten in words."), streams=True)
    return setup, whole, pieces


def _refuses_limit(asked: _Asked) -> bool:
    """A refusal that names the parameter."""
    failure = asked.failure
    return (
        failure is not None
        and failure.kind == "refused"
        and any(name in str(failure) for name in ("max_tokens", "max_completion_tokens"))
    )


def _other(name: LimitParameter) -> LimitParameter:
    return "max_tokens" if name == "max_completion_tokens" else "max_completion_tokens"


def _streaming(asked: _Asked) -> Finding:
    first = asked.reply.first_ms if asked.reply else None
    if first is None:
        return asked.found("streaming", False, "the answer came as a whole although a stream was asked for")
    return asked.found("streaming", True, f"first piece after {first:.0f} ms")


async def _tools(setup: ModelSetup) -> Finding:
    """Native calls; where there are none, whether the text protocol gets one, which the detail says."""
    request = _request("What is the weather in Hangzhou today? Use the tool.", _TOOL)
    asked = await _ask(setup, request, streams=setup.streams)
    cities = _cities(asked)
    if cities:
        return asked.found("tools", True, f"get_weather was called for {', '.join(cities)}")
    native = asked.found("tools", False, "the model answered in words instead of a call")
    in_text = await _ask(setup.model_copy(update={"tools": "text"}), request, streams=setup.streams)
    way = "calls in plain text work" if _cities(in_text) else "nor did the model follow the text protocol"
    return Finding("tools", False, f"{native.detail.rstrip('.')}; {way}", native.latency_ms, native.failure)


async def _parallel(setup: ModelSetup) -> Finding:
    question = "What is the weather in Hangzhou and in Suzhou today? Call the tool for both cities at once."
    asked = await _ask(setup, _request(question, _TOOL), streams=setup.streams)
    count = len(_cities(asked))
    return asked.found("parallel_tools", count > 1, f"calls in one answer: {count}")


async def _structured(setup: ModelSetup) -> Finding:
    question = 'Give a JSON object with the keys "city" and "country" for Hangzhou, and nothing else.'
    asked = await _ask(setup, _request(question, json_object=True), streams=setup.streams)
    text = asked.reply.text if asked.reply else ""
    works = _object(text) is not None
    return asked.found(
        "structured_output", works, "a JSON object" if works else f"no JSON object: “{text[:80]}”"
    )


def _usage(whole: _Asked, pieces: _Asked) -> Finding:
    """In every way of answering that works: without figures nobody knows the cost."""
    ways = [("whole answers", whole.reply), ("streams", pieces.reply)]
    lacking = [way for way, reply in ways if reply is not None and reply.usage is None]
    if lacking:
        return Finding("usage", False, f"no token figures in {' and '.join(lacking)}")
    shown = ", ".join(
        f"{way}: {reply.usage.prompt} + {reply.usage.completion} tokens"
        for way, reply in ways
        if reply is not None and reply.usage is not None
    )
    return Finding("usage", True, shown)


async def _ask(setup: ModelSetup, request: ChatRequest, *, streams: bool) -> _Asked:
    client = ModelClient(setup.model_copy(update={"streams": streams}))
    try:
        return _Asked(await client.answer(request, language="en"), None)
    except ModelFailure as failure:
        return _Asked(None, failure)
    finally:
        await client.close()


def _request(question: str, *tools: dict[str, Any], json_object: bool = False) -> ChatRequest:
    return ChatRequest(({"role": "user", "content": question},), tools, json_object=json_object)


def _cities(asked: _Asked) -> Sequence[str]:
    """The cities of the calls that are as they should be."""
    calls = asked.reply.calls if asked.reply else ()
    named = [_object(call.arguments) for call in calls if call.name == "get_weather"]
    return [str(arguments["city"]) for arguments in named if arguments and arguments.get("city")]


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
