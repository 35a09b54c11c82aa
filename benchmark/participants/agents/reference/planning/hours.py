"""When a place lets people in on a date."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from datetime import date
from typing import Any

from benchmark.participants.agents.reference.planning.clock import CLOCK, minutes

Window = tuple[int, int]
"""Opening and closing minute of a day, both included."""

_PAIR = re.compile(r"(\d{1,2}:\d{2})\s*[-–—~至到]+\s*(?:次日|翌日)?\s*(\d{1,2}:\d{2})")


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


def windows_in_text(text: str) -> tuple[Window, ...] | None:
    """Windows by a free text such as 09:00-17:00; one that ends after midnight is cut at 23:59."""
    found: list[Window] = []
    for first, last in _PAIR.findall(text):
        opens, closes = minutes(first), minutes(last)
        if opens is not None and closes is not None:
            found.append((opens, closes if closes > opens else 24 * 60 - 1))
    return tuple(found) or None


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
