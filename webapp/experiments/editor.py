"""The editor of a request: which messages it has, as they were or edited, and what is done to them.

The page sends a message that nobody touches by its number alone, and the fields of those that are open.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from benchmark.models.chat import Message
from webapp.experiments.requests import OWN_FIELDS, Fault, NotJson, message_faults, read_json

FIELDS = ("role", "content", "reasoning_content", "tool_calls", "tool_call_id", "rest")
OLD, EDIT, NEW = "k", "e", "n"
"""What the key of a message begins with: as it was; as it was and then edited; added."""
PREVIEW = 280


@dataclass(frozen=True, slots=True)
class EditorMessage:
    """A message in the editor.

    key: OLD or EDIT with its number in the request that is edited, or NEW with a number of its own. number: its
    place now, from 1. message: as it was, None for a new one. fields: the texts of an open one, by `FIELDS`.
    """

    key: str
    number: int
    message: Message | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[Fault] = ()

    @property
    def open(self) -> bool:
        """Whether it can be written in."""
        return not self.key.startswith(OLD)

    @property
    def new(self) -> bool:
        """Whether it was added."""
        return self.key.startswith(NEW)

    @property
    def role(self) -> str:
        """As it stands in the editor."""
        return self.fields.get("role", "") if self.open else str((self.message or {}).get("role", ""))

    @property
    def preview(self) -> str:
        """The beginning of what it says or calls."""
        content = (self.message or {}).get("content")
        said = (
            content
            if isinstance(content, str)
            else json.dumps(content, ensure_ascii=False)
            if content
            else ""
        )
        names = [call["function"]["name"] for call in (self.message or {}).get("tool_calls") or ()]
        called = " ".join(f"→ {name}" for name in names)
        return " ".join(filter(None, (said[:PREVIEW] + ("…" if len(said) > PREVIEW else ""), called)))

    @property
    def has_more(self) -> bool:
        """Whether it has anything beside a role and a content."""
        return any(self.fields.get(name) for name in FIELDS if name not in ("role", "content"))

    @property
    def size(self) -> int:
        """Characters of its content."""
        return len(str((self.message or {}).get("content") or ""))

    def wrong(self) -> dict[str, list[str]]:
        """What is wrong by field."""
        found: dict[str, list[str]] = {}
        for fault in self.faults:
            found.setdefault(fault.field, []).append(fault.words)
        return found


class UnknownMessage(ValueError):
    """The page named a message that the request does not have; only a page that is not ours does."""


class Editor:
    """The messages of a request while somebody edits it. base: those that it had."""

    def __init__(self, base: Sequence[Message], sent: QueryDict | None = None) -> None:
        self._base = base
        keys = sent.getlist("message") if sent is not None else [f"{OLD}{n}" for n in range(1, len(base) + 1)]
        self._fields: dict[str, dict[str, str]] = {}
        self._keys = list(dict.fromkeys(keys))
        for key in self._keys:
            self._base_of(key)
            if not key.startswith(OLD) and sent is not None:
                self._fields[key] = {name: _lines(sent.get(f"{key}-{name}", "")) for name in FIELDS}

    def _base_of(self, key: str) -> Message | None:
        kind, number = key[:1], key[1:]
        if not (number.isascii() and number.isdigit() and len(number) < 7 and kind in (OLD, EDIT, NEW)):
            raise UnknownMessage(key)
        if kind == NEW:
            return None
        if not 0 < int(number) <= len(self._base):
            raise UnknownMessage(key)
        return self._base[int(number) - 1]

    # What is done to a message.

    def act(self, what: str, key: str) -> None:
        """Edit, restore, remove, up, down or add (after a message, "" for the beginning). Others do nothing."""
        if what == "add" and (key in self._keys or not key):
            new = f"{NEW}{max((int(k[1:]) for k in self._keys if k.startswith(NEW)), default=0) + 1}"
            self._fields[new] = dict.fromkeys(FIELDS, "") | {"role": "user"}
            self._keys.insert(self._keys.index(key) + 1 if key else 0, new)
        if key not in self._keys:
            return
        at = self._keys.index(key)
        if what == "edit" and key.startswith(OLD):
            self._keys[at] = other = EDIT + key[1:]
            self._fields[other] = fields_of(self._base[int(key[1:]) - 1])
        elif what == "restore" and key.startswith(EDIT):
            self._keys[at] = OLD + key[1:]
        elif what == "remove":
            del self._keys[at]
        elif what in ("up", "down"):
            to = min(max(at + (1 if what == "down" else -1), 0), len(self._keys) - 1)
            self._keys.insert(to, self._keys.pop(at))

    # What it has come to.

    def read(self) -> tuple[list[dict[str, Any]], list[Fault]]:
        """The messages as they would be sent, and what is wrong with them."""
        messages, faults = [], list[Fault]()
        for number, key in enumerate(self._keys, 1):
            if key.startswith(OLD):
                messages.append(dict(self._base[int(key[1:]) - 1]))
                continue
            message, wrong = _message(number, self._fields[key], self._base_of(key) or {})
            messages.append(message)
            faults += wrong
        unread = {fault.number for fault in faults}
        others = message_faults(messages)
        return messages, faults + [each for each in others if each.number not in unread]

    def messages(self, faults: Sequence[Fault] = ()) -> list[EditorMessage]:
        """As a page shows them; one that is wrong is open."""
        shown = []
        for number, key in enumerate(list(self._keys), 1):
            wrong = [fault for fault in faults if fault.number == number]
            if wrong and key.startswith(OLD):
                self.act("edit", key)
                key = EDIT + key[1:]
            shown.append(EditorMessage(key, number, self._base_of(key), self._fields.get(key, {}), wrong))
        return shown


def fields_of(message: Message) -> dict[str, str]:
    """The texts of a message's fields."""
    content, rest = message.get("content"), {k: v for k, v in message.items() if k not in OWN_FIELDS}
    if content is not None and not isinstance(content, str):
        content, rest = "", {**rest, "content": content}
    calls = message.get("tool_calls")
    return {
        "role": str(message.get("role", "")),
        "content": content or "",
        "reasoning_content": str(message.get("reasoning_content") or ""),
        "tool_calls": _as_json(calls) if calls else "",
        "tool_call_id": str(message.get("tool_call_id") or ""),
        "rest": _as_json(rest) if rest else "",
    }


def _message(number: int, fields: Mapping[str, str], base: Message) -> tuple[dict[str, Any], list[Fault]]:
    """What fields say; a field that can't be read is left out. base: the message that is edited, {} for a new one."""
    faults = list[Fault]()
    message: dict[str, Any] = {"role": fields["role"], "content": fields["content"]}
    if fields["reasoning_content"] or (fields["role"] == "assistant" and "reasoning_content" in base):
        message["reasoning_content"] = fields["reasoning_content"]  # DeepSeek demands even an empty one
    if fields["tool_call_id"]:
        message["tool_call_id"] = fields["tool_call_id"]
    if fields["tool_calls"].strip():
        try:
            message["tool_calls"] = _calls_with_texts(read_json(fields["tool_calls"]))
            message["content"] = fields["content"] or None
        except NotJson as wrong:
            faults.append(Fault(number, "tool_calls", str(wrong)))
    if fields["rest"].strip():
        try:
            rest = read_json(fields["rest"])
        except NotJson as wrong:
            faults.append(Fault(number, "rest", str(wrong)))
        else:
            taken = _rest_faults(number, rest, fields)
            faults += taken
            message |= rest if not taken else {}
    return message, faults


def _rest_faults(number: int, rest: Any, fields: Mapping[str, str]) -> list[Fault]:
    if not isinstance(rest, dict):
        return [Fault(number, "rest", _("write an object, in braces: { … }."))]
    own = [name for name in rest if name in OWN_FIELDS and not (name == "content" and not fields["content"])]
    words = _("“%(name)s” has a field of its own; write it there.")
    return [Fault(number, "rest", words % {"name": name}) for name in own]


def _calls_with_texts(calls: Any) -> Any:
    """Calls whose arguments may have been written as objects."""
    if isinstance(calls, list):
        for call in calls:
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict) and isinstance(function.get("arguments"), dict):
                function["arguments"] = json.dumps(function["arguments"], ensure_ascii=False)
    return calls


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=dict)


def _lines(text: str) -> str:
    """Forms send line ends as CR and LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
