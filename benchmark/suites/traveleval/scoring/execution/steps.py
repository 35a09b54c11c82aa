"""The entries of a plan, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from benchmark.plans.view import Where

Outcome = Literal["done", "shortened", "skipped", "missed", "not_reached", "untimed"]
Cause = Literal["", "queue", "way", "closed", "leg"]
SECOND = 1 / 3600
"""Hours that are no delay."""
_MINUTES = 60


class Period(NamedTuple):
    """start, end: hours since midnight of the first day."""

    start: float
    end: float

    @property
    def length(self) -> float:
        """In hours."""
        return self.end - self.start


class Step(NamedTuple):
    """An entry of a plan, and what became of it.

    day: from 1. plan: None without readable times. real: None for what did not come about. queue: hours. cause: why
    it is late or not done.
    """

    at: Where
    day: int
    label: str
    kind: str
    plan: Period | None
    real: Period | None = None
    queue: float = 0.0
    outcome: Outcome = "done"
    cause: Cause = ""

    @property
    def late(self) -> float:
        """Hours by which it begins later than planned."""
        late = self.real.start - self.plan.start if self.real and self.plan else 0.0
        return late if late > SECOND else 0.0

    @property
    def is_broken(self) -> bool:
        """Whether it is late, or did not come about as planned."""
        return bool(self.late) or self.outcome not in ("done", "untimed")

    def as_json(self) -> dict[str, Any]:
        """The same for files: clocks with days, late and queue in minutes."""
        return {
            "at": list(self.at),
            "day": self.day,
            "label": self.label,
            "type": self.kind,
            "planned": _clocks(self.plan),
            "executed": _clocks(self.real),
            "late_min": round(self.late * _MINUTES, 2),
            "queue_min": round(self.queue * _MINUTES, 2),
            "outcome": self.outcome,
            "cause": self.cause or None,
        }


@dataclass(frozen=True)
class Execution:
    """steps: in time order. short_rooms: kinds of rooms of which the hotel has fewer than planned. unread_parts:
    where things are that can't be read, and are left out.
    """

    steps: tuple[Step, ...]
    short_rooms: tuple[str, ...] = ()
    unread_parts: tuple[Where, ...] = ()

    @property
    def first_break(self) -> Step | None:
        """The first entry that did not come about as planned, None where all did."""
        return next((step for step in self.steps if step.is_broken), None)

    def count(self, outcome: Outcome) -> int:
        """How many entries came to this."""
        return sum(step.outcome == outcome for step in self.steps)

    def as_json(self) -> dict[str, Any]:
        """The same for files."""
        first = self.first_break
        return {
            "steps": [step.as_json() for step in self.steps],
            "first_break": None if first is None else list(first.at),
            "short_rooms": list(self.short_rooms),
            "unread": [list(at) for at in self.unread_parts],
        }


@lru_cache(maxsize=2**12)
def clock_words(hours: float) -> tuple[int, str]:
    """The day from 1, and the clock, of hours since midnight of the first day."""
    minutes = round(hours * _MINUTES)
    return minutes // (24 * _MINUTES) + 1, f"{minutes // _MINUTES % 24:02d}:{minutes % _MINUTES:02d}"


def _clocks(period: Period | None) -> dict[str, Any] | None:
    """Days and clocks of both ends."""
    if period is None:
        return None
    (first, start), (last, end) = map(clock_words, period)
    return {"start_day": first, "start_time": start, "end_day": last, "end_time": end}
