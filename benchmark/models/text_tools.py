"""Tools for models without tool calls: definitions, calls and results as plain text.

A call is a fenced block whose first line names the tool, so that arguments which are no JSON still belong to a tool
and come through as they were written. The words that explain it are the template text_tools.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from benchmark.models.chat import ChatRequest, Message, Reply, RequestedCall
from benchmark.models.wording import PROMPTS
from benchmark.text import guarded
from sandbox.tools.language import Language

_OPENING = guarded.compile(r" {0,3}(`{3,})[ \t]*call\b[ \t:]*(\S*)[ \t]*", guarded.ASCII)
_TICKS = guarded.compile(r"`{3,}")


def uses_tools(request: ChatRequest) -> bool:
    """Whether there is anything to be put in text: definitions, or calls and results of before."""
    return bool(request.tools) or any(_of_tools(message) for message in request.messages)


def as_text(request: ChatRequest, language: Language) -> ChatRequest:
    """The same request without tools: explained at the end of the system message, former calls as blocks in the
    model's own messages, results that follow one another as one message of the user.

    A JSON object is not asked for where tools are offered: a call is none.
    """
    messages = _messages_as_text(request.messages)
    if request.tools:
        messages = _explain_tools(messages, request.tools, language)
    asks_json = request.json_object and not request.tools
    return replace(request, messages=tuple(messages), tools=(), json_object=asks_json)


def with_calls(reply: Reply) -> Reply:
    """The reply with the calls that its text holds; what stands around them remains its text."""
    text, calls = calls_in(reply.text)
    if not calls:
        return reply
    finish = "tool_calls" if reply.finish_reason == "stop" else reply.finish_reason
    return replace(reply, text=text, calls=calls, finish_reason=finish)


def write_calls(text: str, calls: Sequence[RequestedCall]) -> str:
    """A message with its calls, as `calls_in` reads them."""
    return "\n\n".join(filter(None, (text, *(_fence(f"call {call.name}", call.arguments) for call in calls))))


def calls_in(text: str) -> tuple[str, tuple[RequestedCall, ...]]:
    """(what stands around the calls, the calls): arguments to the letter but for blanks around them, never repaired.

    A block ends at a line with nothing but as many backticks as it began with, or more, else at the text's end.
    """
    around: list[str] = []
    calls: list[RequestedCall] = []
    rest = iter(text.split("\n"))
    for line in rest:
        opening = _OPENING.fullmatch(line.rstrip("\r"))
        if opening is None:
            around.append(line)
        else:
            arguments = "\n".join(_block(rest, opening[1])).strip()
            calls.append(RequestedCall(f"call_{len(calls) + 1}", opening[2], arguments))
    return ("\n".join(around).strip() if calls else text), tuple(calls)


def _block(rest: Iterator[str], fence: str) -> Iterator[str]:
    for line in rest:
        bare = line.strip()
        if bare.startswith(fence) and not bare.strip("`"):
            return
        yield line


def _of_tools(message: Message) -> bool:
    return message["role"] == "tool" or bool(message.get("tool_calls"))


def _messages_as_text(messages: Sequence[Message]) -> list[Message]:
    names = {call.id: call.name for message in messages for call in _calls(message)}
    spoken: list[Message] = []
    for results, group in groupby(messages, key=lambda message: message["role"] == "tool"):
        if results:
            spoken.append(_results(group, names))
        else:
            spoken.extend(_with_blocks(message) for message in group)
    return spoken


def _with_blocks(message: Message) -> Message:
    if not message.get("tool_calls"):
        return message
    others = {name: value for name, value in message.items() if name != "tool_calls"}
    return {**others, "content": write_calls(message.get("content") or "", _calls(message))}


def _calls(message: Message) -> list[RequestedCall]:
    return [
        RequestedCall(call["id"], call["function"]["name"], call["function"]["arguments"])
        for call in message.get("tool_calls") or ()
    ]


def _results(results: Iterable[Message], names: Mapping[str, str]) -> Message:
    blocks = [_fence(f"result {names.get(each['tool_call_id'], '')}", each["content"]) for each in results]
    return {"role": "user", "content": "\n\n".join(blocks)}


def _fence(title: str, content: str) -> str:
    """Fenced with more backticks than stand in a row inside."""
    longest = max((len(ticks) for ticks in _TICKS.findall(content)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{title.rstrip()}\n{content}\n{fence}"


def _explain_tools(
    messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], language: Language
) -> list[Message]:
    definitions = "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in tools)
    protocol = PROMPTS.fill(language, "text_tools", tools=definitions)
    if messages and messages[0]["role"] == "system":
        first = messages[0]
        return [{**first, "content": f"{first['content']}\n\n{protocol}"}, *messages[1:]]
    return [{"role": "system", "content": protocol}, *messages]
