"""Opening hours, of which AMap gives a text."""

from __future__ import annotations

import re
from typing import Any

from sandbox.worlds.reader import published_hours
from sandbox.worlds.records import OpeningHours, OpeningRule, TimeWindow

_DAY_NUMBERS = {name: nth for nth, name in enumerate("一二三四五六日", start=1)} | {"天": 7}
_DAY = "周[一二三四五六日天]"
_DAYS = re.compile(f"(?:{_DAY}(?:[至到~-]{_DAY})?|每天)(?:[、,，]{_DAY}(?:[至到~-]{_DAY})?)*")
_RUN = re.compile(f"({_DAY})(?:[至到~-]({_DAY}))?")
_WINDOW = re.compile(r"([0-9]{1,2}:[0-9]{2})\s*[-–—~至]\s*([0-9]{1,2}:[0-9]{2})")
_BETWEEN = re.compile(r"[\s,，、]*")
_ALWAYS = re.compile(r"24\s*小时(?:营业|开放)?|全天(?:营业|开放)?")
_WEEK = (1, 2, 3, 4, 5, 6, 7)


def structured_hours(text: str) -> dict[str, Any] | None:
    """The published catalogue's structure of a text with one set of days and hours; None for every other text.

    Hours that differ between weekdays do not fit: in that structure the first rule that covers a date decides.
    """
    days = _DAYS.match(text)
    weekdays = _weekdays(days[0]) if days else _WEEK
    hours = text[days.end() :].lstrip(" :：") if days else text.strip()
    if weekdays == _WEEK and _ALWAYS.fullmatch(hours):
        return published_hours(OpeningHours(always_open=True))
    windows = _windows(hours)
    if not windows:
        return None
    if weekdays == _WEEK and windows == (TimeWindow(open="00:00", close="24:00"),):
        return published_hours(OpeningHours(always_open=True))
    return published_hours(OpeningHours(rules=(OpeningRule(weekdays=weekdays, time_windows=windows),)))


def _weekdays(text: str) -> tuple[int, ...]:
    if text.startswith("每天"):
        return _WEEK
    days: set[int] = set()
    for first, last in _RUN.findall(text):
        start = _DAY_NUMBERS[first[1]]
        end = _DAY_NUMBERS[last[1]] if last else start
        days.update(range(start, end + 1) if start <= end else (*range(start, 8), *range(1, end + 1)))
    return tuple(sorted(days))


def _windows(text: str) -> tuple[TimeWindow, ...]:
    """All windows of a text that holds nothing else; none where one runs past midnight or is no time."""
    found = [(_clock(match[1]), _clock(match[2])) for match in _WINDOW.finditer(text)]
    rest = _BETWEEN.fullmatch(_WINDOW.sub("", text))
    if not rest or any(opens >= closes or closes > "24:00" for opens, closes in found):
        return ()
    if any(clock[3:] > "59" for window in found for clock in window):
        return ()
    return tuple(TimeWindow(open=opens, close=closes) for opens, closes in found)


def _clock(text: str) -> str:
    return text.rjust(5, "0")
