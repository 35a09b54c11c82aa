"""The task that a run record is of, as far as the record tells it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from benchmark.suites.base import Cell, RecordTask
from benchmark.suites.travelbench.scoring.subtasks import subtask_of
from benchmark.suites.travelbench.tasks.context import place
from benchmark.suites.travelbench.tasks.task import Task
from benchmark.text import guarded

_UNSTORABLE = guarded.compile("[\x00\ud800-\udfff]")
_CHINESE = guarded.compile("[\u4e00-\u9fff]")
_TIME = guarded.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d")
_TOLD_FIELDS = ("query", "context", "user_profile")


def told_task(record: Mapping[str, Any]) -> RecordTask:
    """The parts of a published task that a record has, and what lists show of it.

    The time is that of the system prompt, which the published agent is told there; a record has no other.
    """
    subtask, time = subtask_of(record), time_of(record)
    definition = {"trace_id": record.get("trace_id")}
    definition |= {name: record[name] for name in _TOLD_FIELDS if name in record}
    definition |= {"time": time} if time else {}
    return RecordTask(
        f"travelbench-{subtask}-{record.get('trace_id')}",
        definition,
        _fields(record, subtask, time),
        text_of(record.get("query")),
        language_of(record),
    )


def read_told(definition: Mapping[str, Any]) -> Task:
    """The task of a definition as `told_task` gives it, to be shown: what it does not tell is empty."""
    return Task.model_construct(
        trace_id=str(definition.get("trace_id")),
        time=text_of(definition.get("time")),
        query=text_of(definition.get("query")),
        context=text_of(definition.get("context")),
        primary_intent="",
        intent="",
        user_profile=text_of(definition.get("user_profile")),
    )


def language_of(record: Mapping[str, Any]) -> str:
    """By the query, as tasks have it."""
    return "zh" if _CHINESE.search(text_of(record.get("query"))) else "en"


def time_of(record: Mapping[str, Any]) -> str:
    """The first time in the system prompt, "" where there is none."""
    messages = record.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    content = first.get("content") if isinstance(first, dict) and first.get("role") == "system" else ""
    match = _TIME.search(content) if isinstance(content, str) else None
    return match[0] if match and _day(match[0]) else ""


def text_of(value: Any) -> str:
    """A field that should hold a text, without what no database column takes."""
    return _UNSTORABLE.sub("\ufffd", value) if isinstance(value, str) else ""


def _fields(record: Mapping[str, Any], subtask: str, time: str) -> dict[str, Cell]:
    here = place(text_of(record.get("context")))
    return {
        "leaves": _day(time),
        "size": int(subtask == "multi"),
        "cities": [here.text] if here else [],
        "subtask": subtask,
    }


def _day(time: str) -> date | None:
    try:
        return date.fromisoformat(time[:10])
    except ValueError:
        return None
