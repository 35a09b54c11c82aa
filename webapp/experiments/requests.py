"""Edited requests: as they are kept, and what has to hold before one is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchmark.models import ChatRequest
from benchmark.models.chat import Message

ROLES = ("system", "developer", "user", "assistant", "tool")
OWN_FIELDS = ("role", "content", "reasoning_content", "tool_calls", "tool_call_id")
"""The fields of a message that the editor has a place for; others are JSON."""
MOST_NAME = 64
_TOOL_NAME = re.compile(r"[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a request.

    number: of the message, from 1; 0 for the tools. field: of `OWN_FIELDS`, `rest` or `tools`.
    """

    number: int
    field: str
    words: str


class NotJson(ValueError):
    """A text that is no JSON of the kind that is needed; the message names the line."""


# As it is kept.


def kept_request(request: ChatRequest) -> dict[str, Any]:
    """A request as JSON."""
    return {
        "messages": [_plain(message) for message in request.messages],
        "tools": [_plain(tool) for tool in request.tools],
        "temperature": request.temperature,
        "top_p": request.top_p,
        "json_object": request.json_object,
    }


def request_of(kept: Mapping[str, Any]) -> ChatRequest:
    """The request again."""
    return ChatRequest(
        messages=tuple(kept["messages"]),
        tools=tuple(kept["tools"]),
        temperature=kept["temperature"],
        top_p=kept["top_p"],
        json_object=kept["json_object"],
    )


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(value, default=dict))
    return made


# Texts that are JSON.


def read_json(text: str) -> Any:
    """The value of a text.

    Raises:
        NotJson: it has none, or one that no request can hold.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        words = _("line %(line)s, character %(column)s: %(why)s. Correct the JSON there.")
        told = {"line": error.lineno, "column": error.colno, "why": error.msg}
        raise NotJson(words % told) from None
    except RecursionError:
        raise NotJson(_("the JSON is nested too deeply.")) from None
    except UnicodeEncodeError:
        raise NotJson(_("the JSON has half of a character (such as \\ud800), which can't be sent.")) from None
    return value


def _refuse_constant(name: str) -> Any:
    raise NotJson(_("%(name)s is no JSON; write a number or null.") % {"name": name})


def read_tools(text: str) -> tuple[tuple[dict[str, Any], ...], list[Fault]]:
    """The definitions of tools in a text, and what is wrong with them, each with the line where the tool begins."""
    if not text.strip():
        return (), []
    try:
        value = read_json(text)
    except NotJson as wrong:
        return (), [Fault(0, "tools", str(wrong)[:1].upper() + str(wrong)[1:])]
    if not isinstance(value, list):
        return (), [Fault(0, "tools", _("Write a list of tools, in brackets: [ … ]."))]
    names, faults = set[str](), list[Fault]()
    for number, (tool, line) in enumerate(zip(value, _lines_of_items(text), strict=True), 1):
        for why in _tool_faults(tool, names):
            told = {"line": line, "n": number, "why": why}
            faults.append(Fault(0, "tools", _("Line %(line)s, tool %(n)s: %(why)s") % told))
    return (() if faults else tuple(value)), faults


def _lines_of_items(text: str) -> Iterator[int]:
    """The lines, from 1, where the items of a list begin. text: JSON of a list."""
    decoder, at = json.JSONDecoder(), text.index("[") + 1
    while True:
        while text[at] in " \t\n\r,":
            at += 1
        if text[at] == "]":
            return
        yield text.count("\n", 0, at) + 1
        _value, at = decoder.raw_decode(text, at)


def _tool_faults(tool: Any, names: set[str]) -> Iterator[str]:
    if not isinstance(tool, dict) or not isinstance(function := tool.get("function"), dict):
        yield _('a tool is an object like {"type": "function", "function": {"name": …, "parameters": …}}.')
        return
    if tool.get("type") != "function":
        yield _('its “type” has to be "function".')
    name = function.get("name")
    if not isinstance(name, str) or len(name) > MOST_NAME or not _TOOL_NAME.fullmatch(name):
        words = _("its name has to be 1 to %(most)s letters, digits, dots, dashes or underscores.")
        yield words % {"most": MOST_NAME}
    elif name in names:
        yield _("another tool has the name “%(name)s”; give it another one.") % {"name": name}
    else:
        names.add(name)
    if not isinstance(function.get("parameters", {}), dict):
        yield _("its “parameters” have to be a JSON schema, an object.")
    if not isinstance(function.get("description", ""), str):
        yield _("its “description” has to be a text.")


# What has to hold between messages.


def message_faults(messages: Sequence[Message]) -> list[Fault]:
    """What no server takes: unknown roles, messages that say nothing, calls and answers that do not match."""
    if not messages:
        return [Fault(0, "messages", _("There is no message; add one."))]
    faults = [fault for number, message in enumerate(messages, 1) for fault in _own_faults(number, message)]
    return [*faults, *_pairing_faults(messages)]


def _own_faults(number: int, message: Message) -> Iterator[Fault]:
    role, content = message.get("role"), message.get("content")
    if role not in ROLES:
        words = _("the role “%(role)s” is none; choose one of %(known)s.")
        yield Fault(number, "role", words % {"role": role, "known": ", ".join(ROLES)})
        return
    if content is not None and not isinstance(content, str | list):
        yield Fault(number, "content", _("the content has to be a text."))
    elif not content and role in ("system", "developer", "user"):
        yield Fault(number, "content", _("it says nothing; write something, or remove it."))
    if role == "assistant":
        if not content and not message.get("tool_calls"):
            yield Fault(number, "content", _("it neither says anything nor calls a tool; write one of both."))
    elif message.get("tool_calls"):
        yield Fault(number, "tool_calls", _("only an assistant calls tools; clear this, or change the role."))
    if role != "assistant" and message.get("reasoning_content"):
        yield Fault(
            number, "reasoning_content", _("only an assistant reasons; clear this, or change the role.")
        )
    if role != "tool" and message.get("tool_call_id"):
        yield Fault(number, "tool_call_id", _("only a tool answers a call; clear this, or change the role."))
    if role == "assistant":
        yield from _call_faults(number, message.get("tool_calls") or [])


def _call_faults(number: int, calls: Any) -> Iterator[Fault]:
    if not isinstance(calls, list | tuple):
        yield Fault(number, "tool_calls", _("write a list of calls, in brackets: [ … ]."))
        return
    ids = set[str]()
    for place, call in enumerate(calls, 1):
        for why in _one_call_faults(call, ids):
            yield Fault(number, "tool_calls", _("call %(n)s: %(why)s") % {"n": place, "why": why})


def _one_call_faults(call: Any, ids: set[str]) -> Iterator[str]:
    if not isinstance(call, Mapping) or not isinstance(function := call.get("function"), Mapping):
        yield _(
            'a call is an object like {"id": …, "type": "function", "function": {"name": …, "arguments": …}}.'
        )
        return
    name, id_ = function.get("name"), call.get("id")
    if not isinstance(id_, str) or not id_:
        yield _("it needs an “id”, which the tool's message names.")
    elif id_ in ids:
        yield _("another call of this message has the id “%(id)s”.") % {"id": id_}
    else:
        ids.add(id_)
    if not isinstance(name, str) or not name:
        yield _("its function needs a “name”.")
    if not isinstance(function.get("arguments"), str):
        yield _("its function needs “arguments”: an object, or its JSON as a text.")


def _pairing_faults(messages: Sequence[Message]) -> Iterator[Fault]:
    """Each call is answered once, right after the message that makes it; each answer is of such a call."""
    caller, waiting = 0, list[str]()
    for number, message in enumerate(messages, 1):
        if message.get("role") == "tool":
            yield from _answer_faults(number, message.get("tool_call_id"), waiting)
            continue
        yield from _open_call_faults(caller, waiting)
        calls = message.get("tool_calls") if message.get("role") == "assistant" else None
        caller, waiting = number, [id_ for id_ in map(_id_of, calls or ()) if id_]
    yield from _open_call_faults(caller, waiting)


def _answer_faults(number: int, id_: Any, waiting: list[str]) -> Iterator[Fault]:
    if not id_ or not isinstance(id_, str):
        yield Fault(number, "tool_call_id", _("name the call that it answers, by the call's id."))
    elif id_ not in waiting:
        words = _("no call “%(id)s” waits for an answer here; name one of the assistant's message before.")
        yield Fault(number, "tool_call_id", words % {"id": id_})
    else:
        waiting.remove(id_)


def _open_call_faults(number: int, waiting: Sequence[str]) -> Iterator[Fault]:
    for id_ in waiting:
        words = _("no tool message right after it answers the call “%(id)s”; add one, or remove the call.")
        yield Fault(number, "tool_calls", words % {"id": id_})


def _id_of(call: Any) -> str:
    id_ = call.get("id") if isinstance(call, Mapping) else None
    return id_ if isinstance(id_, str) else ""
