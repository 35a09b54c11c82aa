"""Times of opening, and minutes of a day with their written form."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from benchmark.text import guarded

_CLOCK = guarded.compile(r"^(\d{1,2}):(\d{2})$")
CLOCK = tuple(f"{minute // 60:02d}:{minute % 60:02d}" for minute in range(24 * 60))
Window = tuple[int, int]
"""Opening and closing minute of a day, both included."""

_CARE = 60
_SEASON = guarded.compile(r"(?<!\d)(\d\d-\d\d)\s*[~～至到]\s*(\d\d-\d\d)(?!\d)")
_WEEKDAYS = {
    name: day
    for names in ("周一 周二 周三 周四 周五 周六 周日", "Mon Tue Wed Thu Fri Sat Sun")
    for day, name in enumerate(names.split())
}
_RUN = guarded.compile(rf"({'|'.join(_WEEKDAYS)})(?:\s*[至到-]\s*({'|'.join(_WEEKDAYS)}))?")
_CLOSURE = guarded.compile(r"(?i)闭馆|闭园|不开放|休息|closed")
_PAIR = guarded.compile(r"(\d{1,2}:\d{2})\s*[-–—~至到]+\s*(?:次日|翌日)?\s*(\d{1,2}:\d{2})")


def minutes(text: object) -> int | None:
    """Minutes after midnight of a written time (24:00 is 1440); None for anything else."""
    return _clock(text) if isinstance(text, str) else None


@lru_cache(maxsize=4096)
def _clock(text: str) -> int | None:
    match = _CLOCK.match(text.strip())
    if match is None:
        return None
    value = int(match.group(1)) * 60 + int(match.group(2))
    return value if value <= 24 * 60 and int(match.group(2)) < 60 else None


def clock_text(minute: int) -> str:
    """HH:MM, zero padded; the caller keeps `minute` within 0 to 1439."""
    return CLOCK[minute]


def windows_of(hours: object, day: date) -> tuple[Window, ...] | None:
    """Windows by structured hours (the catalogue's shape); None: no limit, empty: closed all day."""
    if not isinstance(hours, Mapping) or hours.get("always_open"):
        return None
    rules = hours.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        if not isinstance(rule, Mapping) or not _covers(rule.get("date_range"), day):
            continue
        weekdays = rule.get("weekdays")
        if isinstance(weekdays, list) and day.isoweekday() not in weekdays:
            return ()
        spans = rule.get("time_windows")
        if isinstance(spans, list) and spans:
            return tuple(window for span in spans if (window := _window(span)))
    return None


@lru_cache(maxsize=4096)
def windows_in_text(text: str, day: date) -> tuple[Window, ...] | None:
    """Windows by a text such as 04-01~10-31 周二至周日 09:00-17:00; empty on a weekday that it leaves out.

    Rules are parted by semicolons. Out of all seasons that are told, places are taken to open an hour later and close
    an hour earlier.
    """
    rules = guarded.split(r"[;；]", text)
    told = [rule for rule in rules if _covers(_season(rule), day)]
    held = [rule for rule in told or rules if _holds(rule, day)]
    if not held:
        return ()
    windows = next((rule_windows for rule in held if (rule_windows := _windows_in_rule(rule))), None)
    if told or not windows:
        return windows
    return tuple((a + _CARE, b - _CARE) for a, b in windows if b - a > 2 * _CARE)


def told_on(text: str, days: Sequence[date]) -> str:
    """The rules of such a text whose season holds one of the days; the whole text where none does."""
    rules = [
        rule for rule in guarded.split(r"[;；]", text) if any(_covers(_season(rule), day) for day in days)
    ]
    return "；".join(rules) or text


def _season(rule: str) -> dict[str, str] | None:
    match = _SEASON.search(rule)
    return {"start": match.group(1), "end": match.group(2)} if match else None


def _holds(rule: str, day: date) -> bool:
    """Whether a rule lets people in on the weekday of a day; the days that it names are open, or they are closed."""
    named = [(_WEEKDAYS[a], _WEEKDAYS[b or a]) for a, b in _RUN.findall(rule)]
    weekday, closed = day.weekday(), bool(_CLOSURE.search(rule))
    if not named:
        return not closed or bool(_PAIR.search(rule))
    return closed != any(a <= weekday <= b if a <= b else weekday >= a or weekday <= b for a, b in named)


def _windows_in_rule(text: str) -> tuple[Window, ...] | None:
    """Windows of a text such as 09:00-17:00; one that ends after midnight is cut at 23:59."""
    windows: list[Window] = []
    for first, last in _PAIR.findall(text):
        opens, closes = minutes(first), minutes(last)
        if opens is not None and closes is not None:
            windows.append((opens, closes if closes > opens else 24 * 60 - 1))
    return tuple(windows) or None


def _covers(span: object, day: date) -> bool:
    if not isinstance(span, Mapping):
        return True
    start, end = str(span.get("start", "")), str(span.get("end", ""))
    today = day.strftime("%m-%d")
    return start <= today <= end if start <= end else today >= start or today <= end


def _window(span: Any) -> Window | None:
    """Times are compared as texts by the scorer, so the limits are found among the written times."""
    if not isinstance(span, Mapping):
        return None
    first = bisect_left(CLOCK, str(span.get("open", "")))
    last = bisect_right(CLOCK, str(span.get("close", ""))) - 1
    return (first, last) if first <= last else None
