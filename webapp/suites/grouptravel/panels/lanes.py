"""A day as lanes: one bar a thing, placed by its time. Widths are percentages, so that SVG scales them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.itineraries.reading import HOTEL, REST, TRANSIT, Activity, Block, Day, Leg
from benchmark.suites.grouptravel.scoring.leniency import members

_DAY_END = 24 * 60
_STEP_H = 3
_ROOM_MIN = 60
_TRACK_PX = 300
"""How wide a lane is on the narrowest screen."""
_WIDE_PX, _NARROW_PX, _MARGIN_PX = 11, 7, 6
"""What a Chinese and what a Latin letter takes of a bar, and what stays free."""
_MARK_PX = 28
"""What the label of an hour takes of the time axis."""


@dataclass(frozen=True)
class Bar:
    """x, width: of the lane, as percentages. kind: as in the plan, or `leg`. label: as much of the name as there
    is room for. bad: an issue concerns it.
    """

    x: str
    width: str
    kind: str
    label: str
    title: str
    bad: bool


class Mark(NamedTuple):
    """An hour of the time axis. x: as a percentage; anchor: whether the label begins or ends there, as in SVG."""

    label: str
    x: str
    anchor: str


class Span(NamedTuple):
    """The hours that a day's lanes show, in minutes since midnight."""

    start: int
    end: int

    def place(self, start: int, end: int) -> tuple[str, str]:
        """Where a bar begins and how wide it is."""
        whole = self.end - self.start
        return f"{100 * (start - self.start) / whole:.2f}%", f"{max(0.6, 100 * (end - start) / whole):.2f}%"

    def marks(self) -> list[Mark]:
        """The hours worth a mark."""
        first = -(-self.start // 60 // _STEP_H) * _STEP_H
        hours = range(first, (self.end - _ROOM_MIN) // 60 + 1, _STEP_H)
        return [self._mark(h) for h in hours]

    def _mark(self, hour: int) -> Mark:
        """It begins at its hour, or ends with the axis where it would reach beyond."""
        room = (self.end - hour * 60) / (self.end - self.start) * _TRACK_PX
        x = self.place(hour * 60, hour * 60)[0]
        return Mark(f"{hour}:00", x, "start") if room >= _MARK_PX else Mark(f"{hour}:00", "100%", "end")


class _TimedSpan(NamedTuple):
    start: int
    end: int
    segment: int
    activity: int | None
    part: Activity | Leg


def span_of(day: Day) -> Span | None:
    """Whole hours around everything with readable times; None on a day without any."""
    timed = list(_timed_spans(day))
    if not timed:
        return None
    start, end = min(t.start for t in timed), max(t.end for t in timed)
    return Span(start // 60 * 60, -(-end // 60) * 60)


def _timed_spans(day: Day) -> Iterator[_TimedSpan]:
    """Legs and activities with times that can be drawn; a leg that arrives on the next day ends at midnight."""
    for segment in day.segments:
        if isinstance(segment, Leg):
            if segment.start is not None and segment.end is not None:
                end = segment.end if segment.end > segment.start else _DAY_END
                yield _TimedSpan(segment.start, end, segment.at, None, segment)
        else:
            yield from _activities(segment)


def _activities(block: Block) -> Iterator[_TimedSpan]:
    for a in block.activities:
        if a.duration and a.start is not None and a.end is not None and a.kind not in (HOTEL, REST):
            yield _TimedSpan(a.start, a.end, block.at, a.at, a)


def bars(day: Day, user: str, users: list[str], span: Span, bad: Set[tuple[Any, Any, str]]) -> list[Bar]:
    """What one traveller does on a day."""
    return [
        _bar(timed, span, (timed.segment, timed.activity, user) in bad)
        for timed in _timed_spans(day)
        if isinstance(timed.part, Leg) or user in members(timed.part.participants, users)
    ]


def _bar(timed: _TimedSpan, span: Span, bad: bool) -> Bar:
    x, width = span.place(timed.start, timed.end)
    part = timed.part
    if isinstance(part, Leg):
        kind, label = "leg", f"{part.mode} → {part.to_city}"
    else:
        kind, label = part.kind, "" if part.kind == TRANSIT else part.place
    place = f"{part.from_city} → {part.to_city}" if isinstance(part, Leg) else part.place
    label = fitting(label, (timed.end - timed.start) / (span.end - span.start) * _TRACK_PX - _MARGIN_PX)
    return Bar(x, width, kind, label, f"{part.start_text}–{part.end_text} {place}", bad)


def fitting(label: str, room_px: float) -> str:
    """The label, or its beginning and an ellipsis, or nothing: no letter is cut in two."""
    ends = list(accumulate(_WIDE_PX if letter >= "\u2e80" else _NARROW_PX for letter in label))
    if not ends or ends[-1] <= room_px:
        return label
    count = sum(end + _WIDE_PX <= room_px for end in ends)
    return f"{label[:count]}…" if count else ""
