"""What the agent asked the sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmark.conversation.record import HIT_SOURCES
from webapp.sessions.reading import Call, Reading


@dataclass(frozen=True)
class ToolUse:
    """One tool's use. latency_ms: the median, None before the first answer."""

    name: str
    calls: int
    hits: int
    errors: int
    latency_ms: float | None


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The use of each tool, the whole, and the calls one by one."""
    by_name: dict[str, list[Call]] = {}
    for call in reading.calls:
        by_name.setdefault(call.asked.name, []).append(call)
    uses = [_use(name, calls) for name, calls in by_name.items()]
    uses.sort(key=lambda use: -use.calls)
    return {"uses": uses, "total": _use("", reading.calls), "calls": reading.calls}


def _use(name: str, calls: list[Call]) -> ToolUse:
    answers = [call.answer for call in calls if call.answer is not None]
    return ToolUse(
        name=name,
        calls=len(calls),
        hits=sum(1 for answer in answers if answer.source in HIT_SOURCES),
        errors=sum(answer.error for answer in answers),
        latency_ms=median(answer.latency_ms for answer in answers) if answers else None,
    )
