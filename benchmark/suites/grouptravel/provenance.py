"""Where things come from: which message says a wish, which tool result names a place or a service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from benchmark.core.events import Event, MessagePosted, ToolReturned

SHORTEST = 2
"""Characters of a name that is looked for inside other text."""


class Sources:
    """What messages and tool results of a log say, for one question after another."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._messages: list[tuple[int, str, str]] = []
        self._results: list[tuple[int, str]] = []
        self._values: dict[int, frozenset[str]] = {}
        for event in events:
            if isinstance(event.body, MessagePosted):
                self._messages.append((event.seq, event.body.role, event.body.content))
            elif isinstance(event.body, ToolReturned) and not event.body.error:
                self._results.append((event.seq, event.body.result))

    def message_with(self, user: str, item: Any) -> int | None:
        """The first message of a traveller that holds an item of a table, a number as people write it."""
        wanted = str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)
        return next(
            (seq for seq, role, text in self._messages if role == user and wanted and wanted in text), None
        )

    def result_with(self, name: str, before: int | None = None) -> int | None:
        """The last tool result, before an event, that names a place or a service; None where no tool returned it.

        First those that have the name as a value of their own, then those whose text holds it.
        """
        wanted = name.strip()
        earlier = [result for result in reversed(self._results) if before is None or result[0] < before]
        seq_of_result = next((seq for seq, text in earlier if wanted in self._names(seq, text, wanted)), None)
        if seq_of_result is None and len(wanted) >= SHORTEST:
            seq_of_result = next((seq for seq, text in earlier if wanted in text), None)
        return seq_of_result

    def _names(self, seq: int, text: str, wanted: str) -> frozenset[str]:
        """Every short text that is a value in a result, which is read only where it may hold what is wanted."""
        if wanted not in text and "\\" not in text:  # what is not ASCII may be escaped
            return frozenset()
        if seq not in self._values:
            self._values[seq] = frozenset(_names(_parse(text)))
        return self._values[seq]


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _names(value: Any) -> Iterator[str]:
    """Every short text that is a value anywhere in a result."""
    left = [value]
    while left:
        node = left.pop()
        if isinstance(node, str):
            if len(node) <= 60:
                yield node.strip()
        elif isinstance(node, dict):
            left += node.values()
        elif isinstance(node, list):
            left += node
