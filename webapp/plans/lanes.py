"""A day as lanes: one bar a thing, placed by its time. Widths are percentages, so that SVG scales them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from benchmark.plans.view import Day, Entry, Where
from webapp.plans.times import time_words

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
    """x, width: of the lane, as percentages. kind: of the entry. label: as much of the name as there is room for.

    bad: a sentence concerns it.
    """

    x: str
    width: str
    kind: str
    label: str
    title: str
    bad: bool


class HourMark(NamedTuple):
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

    def marks(self) -> list[HourMark]:
        """The hours worth a mark."""
        first = -(-self.start // 60 // _STEP_H) * _STEP_H
        hours = range(first, (self.end - _ROOM_MIN) // 60 + 1, _STEP_H)
        return [self._mark(h) for h in hours]

    def _mark(self, hour: int) -> HourMark:
        """It begins at its hour, or ends with the axis where it would reach beyond."""
        room = (self.end - hour * 60) / (self.end - self.start) * _TRACK_PX
        x = self.place(hour * 60, hour * 60)[0]
        return (
            HourMark(f"{hour}:00", x, "start") if room >= _MARK_PX else HourMark(f"{hour}:00", "100%", "end")
        )


class _TimedEntry(NamedTuple):
    start: int
    end: int
    entry: Entry


def span_of(day: Day) -> Span | None:
    """Whole hours around everything with readable times; None on a day without any."""
    timed = list(_timed_entries(day))
    if not timed:
        return None
    start, end = min(t.start for t in timed), max(t.end for t in timed)
    return Span(start // 60 * 60, -(-end // 60) * 60)


def _timed_entries(day: Day) -> Iterator[_TimedEntry]:
    """What has times that can be drawn, but for lodging and rests; what ends on the next day ends at midnight."""
    for entry in day.entries:
        start, end = entry.when.start, entry.when.end
        if start is None or end is None or end <= start or entry.kind == "stay":
            continue
        if entry.kind != "other" or entry.place is not None:
            yield _TimedEntry(start, min(end, _DAY_END), entry)


def bars(day: Day, user: str, span: Span, bad: Set[tuple[Where, str]]) -> list[Bar]:
    """What one traveller does on a day."""
    return [
        _bar(timed, span, (timed.entry.at, user) in bad)
        for timed in _timed_entries(day)
        if not timed.entry.who or user in timed.entry.who
    ]


def _bar(timed: _TimedEntry, span: Span, bad: bool) -> Bar:
    x, width = span.place(timed.start, timed.end)
    entry = timed.entry
    leads_to = entry.place.name if entry.place else ""
    label, title = leads_to, leads_to
    if entry.kind == "leg":
        label = f"{entry.mode} → {leads_to}"
        title = f"{entry.origin.name if entry.origin else ''} → {leads_to}"
    elif entry.kind == "move":
        label = ""
    label = fitting(label, (timed.end - timed.start) / (span.end - span.start) * _TRACK_PX - _MARGIN_PX)
    return Bar(x, width, entry.kind, label, f"{time_words(entry.when)} {title}", bad)


def fitting(label: str, room_px: float) -> str:
    """The label, or its beginning and an ellipsis, or nothing: no letter is cut in two."""
    ends = list(accumulate(_WIDE_PX if letter >= "\u2e80" else _NARROW_PX for letter in label))
    if not ends or ends[-1] <= room_px:
        return label
    count = sum(end + _WIDE_PX <= room_px for end in ends)
    return f"{label[:count]}…" if count else ""
