"""Tool calls of several sessions, call by call."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

from benchmark.alignment.rows import Row, Similarities, align_sequences

SIMILAR = 0.5
"""How much alike the arguments of two calls of a tool have to be to be paired, by their letters."""
UNLIKE_WEIGHT = 0.9
"""What a pair counts at most whose arguments are not the same: two pairs of the same calls count more."""


@dataclass(frozen=True)
class AnsweredCall:
    """A tool call. seq: its event. arguments: as the model wrote them, a text where they were no object.

    result: what it returned, None where nothing came. error_kind: "" for none.
    """

    seq: int
    name: str
    arguments: dict[str, Any] | str
    result: str | None
    error_kind: str = ""

    @cached_property
    def argument_lines(self) -> str:
        """The arguments, one a line, in the order of their names."""
        if isinstance(self.arguments, str):
            return self.arguments
        told = sorted(self.arguments.items())
        return "\n".join(f"{name}: {_as_text(value)}" for name, value in told if value is not None)

    @cached_property
    def _values(self) -> str:
        """The arguments without their names, which all calls of a tool have in common."""
        if isinstance(self.arguments, str):
            return self.arguments
        told = sorted(self.arguments.items())
        return "\n".join(_as_text(value) for _name, value in told if value is not None)

    @cached_property
    def outcome(self) -> tuple[str | None, str]:
        """What it came to; the same for the same JSON, however it is written."""
        try:
            return json.dumps(json.loads(self.result or ""), sort_keys=True), self.error_kind
        except (ValueError, RecursionError):
            return self.result, self.error_kind


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def align_calls(sessions: Sequence[Sequence[AnsweredCall]]) -> list[Row[AnsweredCall]]:
    """Calls of the same tool with the same or similar arguments stand in one row."""
    return align_sequences(sessions, similar_calls)


def similar_calls(former: Sequence[AnsweredCall], later: Sequence[AnsweredCall]) -> Similarities:
    """1 for the same call, less for other arguments, 0 below `SIMILAR` and for another tool."""
    values = [[call._values for call in side] for side in (former, later)]
    similarities = process.cdist(values[0], values[1], scorer=fuzz.ratio, dtype=np.float64) / 100
    similarities = np.where(similarities < SIMILAR, 0.0, similarities * UNLIKE_WEIGHT)
    lines = [np.array([call.argument_lines for call in side], dtype=object) for side in (former, later)]
    names = [np.array([call.name for call in side], dtype=object) for side in (former, later)]
    similarities[lines[0][:, None] == lines[1][None, :]] = 1.0
    return np.where(names[0][:, None] == names[1][None, :], similarities, 0.0)


def are_the_same(row: Row[AnsweredCall]) -> bool:
    """Whether every session made the call, with the same arguments, and got the same."""
    calls = [call for call in row if call is not None]
    return len(calls) == len(row) and len({(call.argument_lines, call.outcome) for call in calls}) == 1


def count_tools(sessions: Sequence[Sequence[AnsweredCall]]) -> dict[str, list[int]]:
    """How often each session called each tool, those that are called most first."""
    counts = [Counter(call.name for call in session) for session in sessions]
    whole = sum(counts, Counter[str]())
    return {name: [own[name] for own in counts] for name, _n in whole.most_common()}
