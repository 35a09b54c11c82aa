"""Spans of requests to models and of tool calls, by OpenTelemetry's conventions for generative AI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmark.core.engine import Tools
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from sandbox.toolbox import ToolOutcome
from webapp.surroundings import Variables
from worker.telemetry.tracer import mark_failed, span_of, tracer

if TYPE_CHECKING:
    from opentelemetry.trace import Span

CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The variable by which instrumentations of generative AI are asked for what was said."""


class ChatSpan:
    """The span of one request to a model; without a receiver it does nothing."""

    def __init__(self, span: Span | None) -> None:
        self._span = span

    def end(self, reply: Reply) -> None:
        """There is an answer."""
        if self._span is None:
            return
        usage = reply.usage
        told: dict[str, Any] = {
            "gen_ai.response.model": reply.model or None,
            "gen_ai.response.finish_reasons": [reply.finish_reason] if reply.finish_reason else None,
            "gen_ai.usage.input_tokens": usage and usage.prompt,
            "gen_ai.usage.output_tokens": usage and usage.completion,
            "gen_ai.usage.cache_read.input_tokens": usage and usage.cached,
            "gen_ai.usage.reasoning.output_tokens": usage and usage.reasoning,
            "gen_ai.response.time_to_first_chunk": reply.first_ms and reply.first_ms / 1000,
        }
        if _tells_content():
            told["gen_ai.output.messages"] = json.dumps([_answer(reply)], ensure_ascii=False)
        self._span.set_attributes({key: value for key, value in told.items() if value is not None})

    def fail(self, failure: ModelFailure) -> None:
        """There is none."""
        if self._span is None:
            return
        if failure.usage is not None:
            self._span.set_attribute("gen_ai.usage.input_tokens", failure.usage.prompt)
            self._span.set_attribute("gen_ai.usage.output_tokens", failure.usage.completion)
        mark_failed(self._span, str(failure.status or failure.kind))


@contextmanager
def chat_span(setup: ModelSetup, request: ChatRequest) -> Iterator[ChatSpan]:
    """The span of one request to a model."""
    if tracer() is None:
        yield ChatSpan(None)
        return
    address = urlsplit(setup.base_url)
    temperature = request.temperature if setup.temperature is None else setup.temperature
    told: dict[str, Any] = {
        "gen_ai.provider.name": "openai",  # the protocol's, whoever answers by it
        "gen_ai.request.model": setup.model,
        "gen_ai.request.temperature": temperature,
        "gen_ai.request.top_p": request.top_p if setup.top_p is None else setup.top_p,
        "gen_ai.request.max_tokens": setup.max_tokens,
        "gen_ai.request.seed": setup.seed,
        "gen_ai.request.stream": setup.streams,
        "server.address": address.hostname,
        "server.port": address.port or (443 if address.scheme == "https" else 80),
        "caravan.endpoint": setup.name,
    }
    if _tells_content():
        told["gen_ai.input.messages"] = json.dumps(
            [_message(each) for each in request.messages], ensure_ascii=False
        )
    with span_of(f"chat {setup.model}", "chat", client=True, **told) as span:
        yield ChatSpan(span)


def _tells_content() -> bool:
    return bool(Variables().bool(CONTENT, default=False))


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message of a request as the conventions have it."""
    parts: list[dict[str, Any]] = []
    if message.get("role") == "tool":
        parts.append(
            {
                "type": "tool_call_response",
                "id": message.get("tool_call_id"),
                "response": message.get("content"),
            }
        )
    elif message.get("content"):
        parts.append({"type": "text", "content": message["content"]})
    for call in message.get("tool_calls") or ():
        wanted = call["function"]
        parts.append(_tool_call(call["id"], wanted["name"], wanted["arguments"]))
    return {"role": message.get("role"), "parts": parts}


def _answer(reply: Reply) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "text", "content": reply.text}] if reply.text else []
    parts += [_tool_call(call.id, call.name, call.arguments) for call in reply.calls]
    return {"role": "assistant", "parts": parts, "finish_reason": reply.finish_reason}


def _tool_call(pk: str, name: str, arguments: str) -> dict[str, Any]:
    return {"type": "tool_call", "id": pk, "name": name, "arguments": arguments}


@dataclass(frozen=True, slots=True)
class SpannedTools:
    """Tools whose calls have spans."""

    tools: Tools

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """Answer one call."""
        if tracer() is None:
            return self.tools.call(name, arguments)
        told: dict[str, Any] = {"gen_ai.tool.name": name, "gen_ai.tool.type": "function"}
        if _tells_content():
            text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            told["gen_ai.tool.call.arguments"] = text
        with span_of(f"execute_tool {name}", "execute_tool", **told) as span:
            answer = self.tools.call(name, arguments)
            if _tells_content():
                span.set_attribute("gen_ai.tool.call.result", answer.result)
            if answer.error_kind:
                mark_failed(span, answer.error_kind)
            return answer
