"""The guards of the agent's tool loop (appendix A.6): how long a turn may go on calling, and what repeats."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field

import orjson

from benchmark.core.events import ToolCalled

MODEL_STEPS = 20
REPEATS = 3


def call_key(call: ToolCalled) -> str:
    """Two calls are the same when name and arguments agree, whatever the order of the keys."""
    told = [call.name, call.arguments]
    try:
        return orjson.dumps(told, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # lone surrogates and huge integers
        return json.dumps(told, sort_keys=True, ensure_ascii=False)


@dataclass
class ToolLoop:
    """Calls of the session, and of the turn in progress.

    steps: model steps with calls in this turn. multiple: one of this turn's calls was made for the third time in
    the session. consecutive: two successive steps of this turn share a call. waiting: calls without an answer.
    """

    calls: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    multiple: bool = False
    consecutive: bool = False
    waiting: dict[str, ToolCalled] = field(default_factory=dict)
    _last: set[str] = field(default_factory=set)
    _calls_now: set[str] = field(default_factory=set)

    def begin(self) -> None:
        """A new turn: only the session's counts stay."""
        self.steps, self.multiple, self.consecutive = 0, False, False
        self._last, self._calls_now = set(), set()

    def call(self, call: ToolCalled) -> None:
        """Fold one call in."""
        if call.step != self.steps:
            self.steps, self._last, self._calls_now = call.step, self._calls_now, set()
        key = call_key(call)
        self._calls_now.add(key)
        self.calls[key] += 1
        self.waiting[call.call_id] = call
        self.multiple |= self.calls[key] >= REPEATS
        self.consecutive |= key in self._last

    @property
    def open(self) -> bool:
        """Whether the agent may call again in this turn."""
        return self.steps < MODEL_STEPS and not (self.multiple or self.consecutive)
