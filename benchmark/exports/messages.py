"""Messages in the form of the chat completions protocol."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from benchmark.core.events import AgentNoted, Event, MessagePosted, ToolCalled, ToolReturned
from benchmark.core.view import AGENT
from benchmark.models.chat import Reply

Message = dict[str, Any]


def conversation_messages(events: Iterable[Event]) -> list[Message]:
    """The conversation as the agent could see it, and what it wrote: the agent is the assistant.

    Travellers are users, with their names before their words. Calls of one step stand in one message.
    """
    return [message for _, message in numbered_messages(events)]


def numbered_messages(events: Iterable[Event]) -> list[tuple[int, Message]]:
    """The same, each with the number of the event that begins it."""
    messages: list[Message] = []
    numbers: list[int] = []
    step: tuple[str, int] | None = None
    for event in events:
        match event.body:
            case MessagePosted() as body:
                messages.append(_message(body))
            case AgentNoted() as body:
                messages.append({"role": "assistant", "content": body.content})
            case ToolCalled() as body:
                same = step == ("calls", body.step) and messages[-1]["role"] == "assistant"
                if not same and not (step is None and messages and _is_note(messages[-1])):
                    messages.append({"role": "assistant", "content": ""})
                    numbers.append(event.seq)
                messages[-1].setdefault("tool_calls", []).append(_call(body))
                step = ("calls", body.step)
                continue
            case ToolReturned() as body:
                messages.append({"role": "tool", "tool_call_id": body.call_id, "content": body.result})
                numbers.append(event.seq)
                continue
            case _:
                continue
        numbers.append(event.seq)
        step = None
    return [*zip(numbers, messages, strict=True)]


def reply_message(reply: Reply) -> Message:
    """A model's answer as the message that the next request would hold."""
    message: Message = {"role": "assistant", "content": reply.text}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.calls
        ]
    return message


def _message(body: MessagePosted) -> Message:
    if body.role == AGENT:
        return {"role": "assistant", "content": body.content}
    return {"role": "user", "content": f"{body.role}: {body.content}"}


def _is_note(message: Message) -> bool:
    return message["role"] == "assistant" and "tool_calls" not in message


def _call(body: ToolCalled) -> Message:
    given = body.arguments
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {"id": body.call_id, "type": "function", "function": {"name": body.name, "arguments": text}}
