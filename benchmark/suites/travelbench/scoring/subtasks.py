"""Which subtask a run record is of: `mode` is the same for single turns and for unsolvable tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.suites.travelbench.modes import SUBTASKS, UNSOLVED_MARK, Subtask
from benchmark.suites.travelbench.tasks.task import CAUSES

SUBTASK_KEY = "subtask"
"""The key under which reading a file notes what its other records tell; a record may have it itself."""


def subtask_of(record: Mapping[str, Any], definition: Mapping[str, Any] | None = None) -> Subtask:
    """By what its task says, else by what the record tells; `single` where nothing tells."""
    if definition and any(definition.get(cause) is True for cause in CAUSES):
        return "unsolved"
    return told_subtask(record) or "single"


def told_subtask(record: Mapping[str, Any]) -> Subtask | None:
    """By the record alone: its mode; the tag in its system prompt, which only unsolvable tasks have; our own ids."""
    noted = record.get(SUBTASK_KEY)
    for subtask in SUBTASKS:
        if noted == subtask or _names(record.get("conversation_id"), subtask):
            return subtask
    if record.get("mode") == "multi_turn":
        return "multi"
    prompt = _system_prompt(record)
    return None if prompt is None else "unsolved" if UNSOLVED_MARK in prompt else "single"


def _names(conversation_id: Any, subtask: Subtask) -> bool:
    return isinstance(conversation_id, str) and conversation_id.startswith(f"travelbench-{subtask}-")


def _system_prompt(record: Mapping[str, Any]) -> str | None:
    messages = record.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    if not isinstance(first, dict) or first.get("role") != "system":
        return None
    return first["content"] if isinstance(first.get("content"), str) else None
