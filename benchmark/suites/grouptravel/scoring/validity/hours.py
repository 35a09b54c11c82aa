"""Sights are visited while they are open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from benchmark.suites.grouptravel.itineraries.clock import calendar_day
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, Activity
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue, at_place

Fits = Callable[[str, str, Activity], bool]
"""Whether an activity lies within the hours from one time as written to another."""


def outside_opening_hours(trip: Trip) -> Iterator[Issue]:
    """Visits to sights whose hours are known, outside them; whatever can't be read is skipped."""
    return visits_while_closed(trip, ATTRACTION, _fits_as_text)


def visits_while_closed(trip: Trip, kind: str, fits: Fits) -> Iterator[Issue]:
    """The same for one kind of activity."""
    for visit in trip.outings:
        activity = visit.activity
        if activity.kind != kind or visit.place is None or visit.place.opening_hours is None:
            continue
        day = calendar_day(visit.day.date)
        if day and activity.start_text and activity.end_text:
            rule = _deciding(visit.place.opening_hours, day)
            if rule is not None and (issue := _closed(visit, day, rule, fits)):
                yield issue


def _deciding(opening_hours: Any, day: date) -> dict[str, Any] | None:
    """The first rule that covers `day` and either closes its weekday or has windows; None when nothing decides."""
    if not isinstance(opening_hours, dict) or opening_hours.get("always_open"):
        return None
    rules = opening_hours.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        covers = isinstance(rule, dict) and _covers(rule.get("date_range"), day)
        if covers and (_day_off(rule, day) or rule.get("time_windows")):
            found: dict[str, Any] = rule
            return found
    return None


def _covers(date_range: Any, day: date) -> bool:
    """Both ends are included; a range that starts after its end wraps over New Year; no range is the whole year."""
    if not isinstance(date_range, dict):
        return not date_range
    start, end, today = date_range.get("start"), date_range.get("end"), day.isoformat()[5:]
    if not (isinstance(start, str) and isinstance(end, str)):
        return True
    return start <= today <= end if start <= end else today >= start or today <= end


def _day_off(rule: dict[str, Any], day: date) -> bool:
    weekdays = rule.get("weekdays")
    return isinstance(weekdays, list) and day.isoweekday() not in weekdays


def _closed(visit: Outing, day: date, rule: dict[str, Any], fits: Fits) -> Issue | None:
    if _day_off(rule, day):
        return at_place("outside_opening_hours", visit, "closed_day", {"date": day.isoformat()})
    start, end = visit.activity.start_text, visit.activity.end_text
    windows = _windows(rule["time_windows"])
    if any(fits(opens, closes, visit.activity) for opens, closes in windows):
        return None
    hours = ", ".join([f"{opens}–{closes}" for opens, closes in windows])
    params = {"date": day.isoformat(), "windows": hours, "start": start, "end": end}
    return at_place("outside_opening_hours", visit, "closed_hours", params)


def _fits_as_text(opens: str, closes: str, visit: Activity) -> bool:
    """As published: 9:00 comes after 10:00, and 25:00 after closing. What is no text can't be compared."""
    start, end = visit.start_text, visit.end_text
    return not (isinstance(start, str) and isinstance(end, str)) or (opens <= start and end <= closes)


def _windows(raw: Any) -> list[tuple[str, str]]:
    """Opening and closing times as written."""
    windows = []
    for window in raw if isinstance(raw, list) else ():
        if isinstance(window, dict):
            opens, closes = window.get("open"), window.get("close")
            if isinstance(opens, str) and isinstance(closes, str):
                windows.append((opens, closes))
    return windows
