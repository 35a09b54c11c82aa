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
        self._said: list[tuple[int, str, str]] = []
        self._named: dict[str, list[int]] = {}
        self._texts: list[tuple[int, str]] = []
        for event in events:
            if isinstance(event.body, MessagePosted):
                self._said.append((event.seq, event.body.role, event.body.content))
            elif isinstance(event.body, ToolReturned) and not event.body.error:
                self._texts.append((event.seq, event.body.result))
                for name in set(_names(_parsed(event.body.result))):
                    self._named.setdefault(name, []).append(event.seq)

    def said(self, user: str, item: Any) -> int | None:
        """The first message of a traveller that holds an item of a table, a number as people write it."""
        wanted = str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)
        return next(
            (seq for seq, role, text in self._said if role == user and wanted and wanted in text), None
        )

    def returned(self, name: str, before: int | None = None) -> int | None:
        """The last tool result, before an event, that names a place or a service; None where no tool returned it.

        First those that have the name as a value of their own, then those whose text holds it.
        """
        seqs = self._named.get(name.strip(), [])
        found = _last(seqs, before)
        if found is None and len(name.strip()) >= SHORTEST:
            found = _last([seq for seq, text in self._texts if name.strip() in text], before)
        return found


def _last(seqs: list[int], before: int | None) -> int | None:
    return max((seq for seq in seqs if before is None or seq < before), default=None)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _names(value: Any) -> Iterator[str]:
    """Every short text that is a value anywhere in a result."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            if len(one) <= 60:
                yield one.strip()
        elif isinstance(one, dict):
            left += one.values()
        elif isinstance(one, list):
            left += one
