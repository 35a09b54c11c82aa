"""The tool calls of a log with their answers, as those ask for them who look for what led to a miss."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from benchmark.core.events import Event, ToolCalled, ToolReturned
from benchmark.misses.kinds import ToolFailure
from benchmark.text import guarded

_WORD: Final = guarded.compile(r"[\w-]+")


class AnsweredCall(NamedTuple):
    """A tool call with its answer. seq: the event of the answer. asked: that of the call. arguments: as JSON text.

    error_kind: "" where it did not fail.
    """

    seq: int
    asked: int
    tool: str
    arguments: str
    result: str
    error_kind: str

    @property
    def failure(self) -> ToolFailure:
        """As a miss names it."""
        return ToolFailure(self.seq, self.tool, self.error_kind)


class AnsweredCalls:
    """Those of one log, in the order of their answers."""

    def __init__(self, log: Iterable[Event]) -> None:
        self.all = tuple(_pairs(log))

    def failures_about(self, names: Collection[str], before: int) -> tuple[ToolFailure, ...]:
        """The failed calls before an event whose arguments hold all of these names; none for no name."""
        return tuple(
            call.failure
            for call in self.all
            if names
            and call.error_kind
            and call.seq < before
            and all(name in call.arguments for name in names)
        )

    def failures_of(self, tools: Collection[str], after: int, before: int) -> tuple[ToolFailure, ...]:
        """The failed calls of some tools between two events."""
        return tuple(
            call.failure
            for call in self.all
            if call.error_kind and call.tool in tools and after < call.seq < before
        )

    def answer_of(self, tools: Collection[str], before: int, after: int = 0) -> int | None:
        """The last answer of one of some tools between two events; None where there is none but errors."""
        return next(
            (
                call.seq
                for call in reversed(self.all)
                if not call.error_kind and call.tool in tools and after < call.seq < before
            ),
            None,
        )

    def answer_with(self, word: str, before: int) -> int | None:
        """The last answer before an event that holds a word, such as an id, as a word of its own."""
        return next((seq for seq, words in reversed(self._words) if seq < before and word in words), None)

    @cached_property
    def _words(self) -> list[tuple[int, frozenset[str]]]:
        return [(call.seq, frozenset(_WORD.findall(call.result))) for call in self.all if not call.error_kind]


def _pairs(log: Iterable[Event]) -> Iterator[AnsweredCall]:
    waiting: dict[str, tuple[int, ToolCalled]] = {}
    for event in log:
        if isinstance(event.body, ToolCalled):
            waiting[event.body.call_id] = event.seq, event.body
        elif isinstance(event.body, ToolReturned) and event.body.call_id in waiting:
            asked, call = waiting.pop(event.body.call_id)
            arguments = json.dumps(call.arguments, ensure_ascii=False)
            yield AnsweredCall(
                event.seq, asked, call.name, arguments, event.body.result, event.body.error_kind
            )
