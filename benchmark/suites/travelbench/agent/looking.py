"""Calls that an answer needs: their results where they were made before, else the calls to make now."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmark.core.actions import ToolCall
from benchmark.core.view import ToolEntry
from benchmark.text import guarded
from sandbox.toolsets.travelbench import NOTHING_FOUND

_COORDINATES = guarded.compile(r"(-?\d{1,2}\.\d+)\s*[,，]\s*(-?\d{1,3}\.\d+)")
_LONGEST_TEXT = 600


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a call gave. fields: the JSON object, {} where it is none. text: what a tool without a schema wrote."""

    fields: Mapping[str, Any]
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.fields or self.text)

    def rows(self, name: str) -> list[Mapping[str, Any]]:
        """The objects of a list of it."""
        held = self.fields.get(name)
        return [row for row in held if isinstance(row, dict)] if isinstance(held, list) else []

    @property
    def coordinates(self) -> str:
        """The first "latitude,longitude" of it, "" where there is none."""
        for row in self.rows("places"):
            if isinstance(row.get("coordinates"), str):
                return str(row["coordinates"])
        match = _COORDINATES.search(self.text)
        return f"{match[1]},{match[2]}" if match else ""


class NotYet(Exception):
    """Calls that have to be made before there is an answer."""

    def __init__(self, calls: tuple[ToolCall, ...]) -> None:
        super().__init__(len(calls))
        self.calls = calls


class Lookups:
    """The tool calls of a session."""

    def __init__(self, log: Iterable[ToolEntry]) -> None:
        self._entries = {_key(entry.name, entry.arguments): entry for entry in log}

    def call(self, name: str, **arguments: Any) -> ToolAnswer:
        """The result of one call. Raises NotYet."""
        return self.look_up_all((name, arguments))[0]

    def look_up_all(self, *calls: tuple[str, Mapping[str, Any]]) -> list[ToolAnswer]:
        """The results of calls that are made in one step. Raises NotYet."""
        wanted = [(name, {key: value for key, value in given.items() if value}) for name, given in calls]
        lacking = tuple(ToolCall(*call) for call in wanted if _key(*call) not in self._entries)
        if lacking:
            raise NotYet(lacking)
        return [_answer_of(self._entries[_key(*call)]) for call in wanted]


def _key(name: str, arguments: object) -> str:
    return f"{name} {json.dumps(arguments, sort_keys=True, ensure_ascii=False)}"


def _answer_of(entry: ToolEntry) -> ToolAnswer:
    """Nothing where the call failed, or found nothing."""
    text = entry.result or ""
    if entry.error or NOTHING_FOUND in text:
        return ToolAnswer({})
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return ToolAnswer({}, text[:_LONGEST_TEXT])
    if not isinstance(told, dict):
        return ToolAnswer({}, text[:_LONGEST_TEXT])
    return ToolAnswer({}) if "error" in told else ToolAnswer(told)
