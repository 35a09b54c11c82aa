"""The tool calls of sessions, call by call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from benchmark.alignment.calls import AnsweredCall, align_calls, are_the_same, count_tools
from benchmark.alignment.rows import Row, first_item
from benchmark.text.word_differences import Piece
from webapp.comparisons.stretches import Stretch, stretches_of
from webapp.comparisons.texts import mark_texts
from webapp.sessions.reading import Reading

MOST_CALLS = 300
"""Calls of a session that are compared, the first ones."""
LONGEST_SHOWN = 1_000
"""Characters of the arguments of a call that are compared word by word and shown."""


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call in its column. pieces: its arguments. has_answer: whether something came back.

    other_result: something else than what the first session with this call got.
    """

    seq: int
    pieces: Sequence[Piece]
    more: int
    error_kind: str
    has_answer: bool
    other_result: bool


@dataclass(frozen=True, slots=True)
class CallLine:
    """Calls of one tool that face each other, None for a session that made none there."""

    tool: str
    calls: Sequence[ShownCall | None]
    alike: bool
    is_alone: bool


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """rows: all calls that are compared; uncompared_counts: of each session, how many come after them.

    counts_by_tool: how often each session called each tool, in all.
    """

    most: ClassVar[int] = MOST_CALLS
    rows: Sequence[Row[AnsweredCall]]
    uncompared_counts: Sequence[int]
    counts_by_tool: dict[str, list[int]]

    @property
    def counts(self) -> dict[str, int]:
        """Rows that are `same`, `changed` (other arguments or another result), `alone` (only one session called)."""
        same = sum(map(are_the_same, self.rows))
        alone = sum(sum(call is not None for call in row) == 1 for row in self.rows)
        return {"same": same, "changed": len(self.rows) - same - alone, "alone": alone}

    @property
    def stretches(self) -> Iterator[Stretch[CallLine]]:
        """As pages show them, with marked arguments."""
        yield from stretches_of(map(_line, self.rows), lambda line: line.alike)


def align_readings(readings: Sequence[Reading]) -> ToolCalls:
    """The tool calls of some sessions in rows."""
    sessions = [_calls_of(reading) for reading in readings]
    rows = align_calls([calls[:MOST_CALLS] for calls in sessions])
    uncompared_counts = [max(0, len(calls) - MOST_CALLS) for calls in sessions]
    return ToolCalls(rows, uncompared_counts, count_tools(sessions))


def _calls_of(reading: Reading) -> list[AnsweredCall]:
    return [
        AnsweredCall(
            call.seq,
            call.request.name,
            call.request.arguments,
            call.answer.result if call.answer else None,
            call.answer.error_kind if call.answer else "",
        )
        for call in reading.calls
    ]


def _line(row: Row[AnsweredCall]) -> CallLine:
    base = first_item(row)
    marked = mark_texts([None if call is None else call.argument_lines[:LONGEST_SHOWN] for call in row])
    shown = [
        None
        if call is None or pieces is None
        else ShownCall(
            call.seq,
            pieces,
            max(0, len(call.argument_lines) - LONGEST_SHOWN),
            call.error_kind,
            call.result is not None,
            call.outcome != base.outcome,
        )
        for call, pieces in zip(row, marked, strict=True)
    ]
    return CallLine(base.name, shown, are_the_same(row), sum(call is not None for call in row) == 1)
