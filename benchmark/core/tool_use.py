"""How a session used its tools: a fold over its log (the tool figures of the paper's Table 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmark.core.events import Event, ToolCalled, ToolReturned
from benchmark.core.use import Use

HIT_SOURCES = ("world", "cache")
"""The sources that count as hits: the answer was known before the call. Any other source is a miss."""


@dataclass
class ToolUse(Use):
    """Calls of one tool, or of all. Every answered call is a hit or a miss.

    simulated, live: misses that a simulator or a backend answered. errors: by kind. latencies: milliseconds.
    """

    calls: int = 0
    hits: int = 0
    misses: int = 0
    simulated: int = 0
    live: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)

    def add_answer(self, answer: ToolReturned) -> None:
        """Fold one answer in."""
        hit = answer.source in HIT_SOURCES
        self.hits += hit
        self.misses += not hit
        self.simulated += answer.source == "simulated"
        self.live += answer.source == "live"
        if answer.error_kind:
            self.errors[answer.error_kind] += 1
        self.latencies.append(round(answer.latency_ms, 2))

    @property
    def error_count(self) -> int:
        """Errors of all kinds."""
        return self.errors.total()

    @property
    def errors_by_kind(self) -> list[tuple[str, int]]:
        """Kinds of errors, the most frequent first; templates can't call a Counter's methods."""
        return self.errors.most_common()

    @property
    def hit_rate(self) -> float | None:
        """The share of hits among answered calls; None before the first answer."""
        answered = self.hits + self.misses
        return self.hits / answered if answered else None


def tool_use(events: Iterable[Event]) -> dict[str, ToolUse]:
    """The use of each tool that was called, in the order of first calls."""
    uses: dict[str, ToolUse] = {}
    names: dict[str, str] = {}
    for event in events:
        match event.body:
            case ToolCalled() as asked:
                names[asked.call_id] = asked.name
                uses.setdefault(asked.name, ToolUse()).calls += 1
            case ToolReturned() as answer:
                uses[names[answer.call_id]].add_answer(answer)
    return uses


total = ToolUse.total
"""The sum of several uses."""
