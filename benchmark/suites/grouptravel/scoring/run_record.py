"""A run record as scoring reads it: whatever stands in its fields, and never an exception."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.preferences import GLOBAL_ROOT, part

STAT_COUNTS = ("tool_calls_executed", "cache_hits", "cache_misses")
"""Of `agent_tool_stats`: all are 0 where no tool was called."""
_LEVEL = "preference"


class Reference(NamedTuple):
    """One entry of `effective_preferences`.

    table: what stands below `preference`, else the entry itself, None if that is not an object. level: the path from
    the entry to its table, as the beginning of a field's name. counted: whether group utility counts the user; an
    entry without `preference` needs global fields.
    """

    table: Any
    level: str
    counted: bool


class Message(NamedTuple):
    """A message, and its place in `conversation_history`.

    private: what the agent noted to itself beside tool calls, which nobody heard.
    """

    at: int
    role: str
    content: str
    private: bool


class ToolResult(NamedTuple):
    """tool: "" where the entry names none. failed: whether it is marked as an error."""

    tool: str
    result: Any
    failed: bool


class Compromise(NamedTuple):
    """A compromise that was applied, and its place in `compromise_log`."""

    at: int
    user: str
    path: str
    value: Any


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a record tells, empty where it tells nothing.

    task_id, trial_id, believed (the agent's tables by user): as they were written.
    users: those of the run, in its order. references: by user, in the record's order. roles: of the users in it.
    originals: the tables from before all compromises.
    children: the names of young children without a table, None where the record lists none. departure_city: by the
    record or its task's `metadata`.
    """

    task_id: Any = None
    trial_id: Any = None
    crashed: bool = False
    plan_generated: bool = False
    query: str = ""
    users: tuple[str, ...] = ()
    children: tuple[str, ...] | None = None
    departure_city: str = ""
    references: Mapping[str, Reference] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    originals: Mapping[str, Any] = field(default_factory=dict)
    compromises: Sequence[Compromise] = ()
    beliefs: Any = field(default_factory=dict)
    messages: Sequence[Message] = ()
    results: Sequence[ToolResult] = ()
    called_no_tool: bool = False


def crashed(written: Mapping[str, Any]) -> bool:
    """Whether the run broke off: `success` is exactly false. Its record may lack all but the ids."""
    return written.get("success") is False


def read_record(written: Mapping[str, Any]) -> RunRecord:
    """Read a record (a decoded JSON object)."""
    get = written.get
    entries = _object(get("effective_preferences"))
    metadata = _object(get("metadata"))
    history = _list(get("conversation_history"))
    stats = get("agent_tool_stats")
    return RunRecord(
        task_id=get("task_id"),
        trial_id=get("trial_id"),
        crashed=crashed(written),
        plan_generated=bool(get("plan_generated")),
        query=_text(get("query")),
        users=tuple(dict.fromkeys([name for name in _list(get("user_names")) if isinstance(name, str)])),
        children=_children(written, metadata),
        departure_city=_text(get("departure_city")) or _text(metadata.get("departure_city")),
        references={user: _reference(entry) for user, entry in entries.items()},
        roles={user: _text(part(entry, "role")) for user, entry in entries.items()},
        originals={user: part(own, _LEVEL) for user, own in _object(get("original_preferences")).items()},
        compromises=_compromises(_list(get("compromise_log"))),
        beliefs=get("agent_preference_table", {}),
        messages=_messages(history),
        results=_results(history),
        called_no_tool=all(part(stats, count) == 0 for count in STAT_COUNTS),
    )


def _children(written: Mapping[str, Any], metadata: Mapping[str, Any]) -> tuple[str, ...] | None:
    for members in (written.get("child_members"), metadata.get("child_members")):
        if isinstance(members, list):
            return tuple([str(part(member, "user") or "?") for member in members])
    return None


def _reference(entry: Any) -> Reference:
    if not isinstance(entry, dict):
        return Reference(None, "", False)
    if _LEVEL in entry:
        return Reference(entry[_LEVEL], f".{_LEVEL}", True)
    return Reference(entry, "", GLOBAL_ROOT in entry)


def _messages(history: Sequence[Any]) -> list[Message]:
    messages = []
    for at, entry in enumerate(history):
        if isinstance(entry, dict) and entry.get("type", "message") == "message":
            role, content = entry.get("role"), entry.get("content")
            if isinstance(role, str) and isinstance(content, str):
                private = role == AGENT and bool(entry.get("has_tool_calls"))
                messages.append(Message(at, role, content, private))
    return messages


def _results(history: Sequence[Any]) -> list[ToolResult]:
    return [
        ToolResult(_text(entry.get("name")), entry.get("result"), bool(entry.get("error")))
        for entry in history
        if isinstance(entry, dict) and entry.get("type") == "tool_result"
    ]


def _compromises(log: Sequence[Any]) -> list[Compromise]:
    compromises = []
    for at, entry in enumerate(log):
        user, path = part(entry, "user"), part(entry, "field_path")
        if isinstance(user, str) and isinstance(path, str) and part(entry, "applied"):
            compromises.append(Compromise(at, user, path, entry.get("new_value")))
    return compromises


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
