"""Conversations for fine-tuning: JSON lines with `messages`, `tools` and `metadata`, as the chat protocol has them.

A line is one conversation as a model saw it, and ends with its answer. A request that only adds to the one before it
continues that line; one whose messages are others begins a new line, as travellers' do, who are told everything anew
each turn. Requests that failed are left out. Of a session without recorded requests there is one line: the talk as
the agent could see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.core.view import AGENT
from benchmark.exports.messages import Message, conversation_messages, reply_message
from benchmark.exports.session import SessionExport, calls_of


@dataclass
class _Line:
    seat: str
    model: str
    messages: list[Message]
    tools: list[Any]
    events: list[int] = field(default_factory=list)


def chat_lines(session: SessionExport) -> Iterator[dict[str, Any]]:
    """The lines of a session, in the order of their first requests."""
    if not session.exchanges:
        yield _session_row(session)
        return
    open_lines: dict[str, _Line] = {}
    lines: list[_Line] = []
    for event, called, exchange in calls_of(session):
        if exchange is None or exchange.reply is None:
            continue
        asked = [dict(message) for message in exchange.request.messages]
        line = open_lines.get(exchange.seat)
        if line is None or not _continues(asked, line.messages):
            line = open_lines[exchange.seat] = _Line(exchange.seat, called.model, [], [])
            lines.append(line)
        line.messages = [*asked, reply_message(exchange.reply)]
        line.tools = [dict(tool) for tool in exchange.request.tools]
        line.events.append(event.seq)
    for line in lines:
        yield _plain(session, line)


def _continues(asked: Sequence[Message], before: Sequence[Message]) -> bool:
    """Whether a request holds all of a conversation.

    Thoughts are not sent back, and calls get other ids than the server gave them, which changes nothing.
    """
    begun = list(asked[: len(before)])
    return len(asked) > len(before) and [*map(_chat_message, begun)] == [*map(_chat_message, before)]


def _chat_message(message: Message) -> Message:
    unlike = ("reasoning_content", "tool_call_id", "tool_calls")
    called = [call.get("function") for call in message.get("tool_calls") or ()]
    return {name: value for name, value in message.items() if name not in unlike and value} | {
        "called": called
    }


def _plain(session: SessionExport, line: _Line) -> dict[str, Any]:
    tools = {"tools": line.tools} if line.tools else {}
    about = {"seat": line.seat, "model": line.model, "events": line.events}
    return {"messages": line.messages, **tools, "metadata": {**_about(session), **about}}


def _session_row(session: SessionExport) -> dict[str, Any]:
    about = {"seat": AGENT, "model": "", "events": []}
    return {"messages": conversation_messages(session.events), "metadata": {**_about(session), **about}}


def _about(session: SessionExport) -> dict[str, Any]:
    scores = {score.name: score.plain for score in session.scores}
    about = {"session": session.id, "task": session.task, "trial": session.trial, "scores": scores}
    return {**about, "personal": list(session.personal)} if session.personal else about
