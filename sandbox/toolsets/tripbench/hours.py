"""The opening hours of every day, of those that a world keeps by weekday and season."""

from __future__ import annotations

from collections import Counter

from sandbox.toolsets.tripbench.records import Hours
from sandbox.worlds.records import DateRange, OpeningHours, OpeningRule

WHOLE_DAY = (("00:00", "23:59"),)
_MONTHS, _WEEKDAYS = range(1, 13), range(1, 8)


def daily_hours(hours: OpeningHours | None) -> Hours:
    """The hours that hold on most days of the year on which it is open at all; () where nobody knows them."""
    if hours is None:
        return ()
    if hours.always_open:
        return WHOLE_DAY
    counted = Counter(_windows(rule) for rule in _rules_by_day(hours.rules) if rule.time_windows)
    return counted.most_common(1)[0][0] if counted else ()


def _windows(rule: OpeningRule) -> Hours:
    return tuple((window.open, window.close) for window in rule.time_windows)


def _rules_by_day(rules: tuple[OpeningRule, ...]) -> list[OpeningRule]:
    """The rule of each weekday in the middle of each month: the first that covers it."""
    if len(rules) == 1:
        return [*rules]
    days = ((f"{month:02d}-15", weekday) for month in _MONTHS for weekday in _WEEKDAYS)
    covering = (next((rule for rule in rules if _covers(rule, *day)), None) for day in days)
    return [rule for rule in covering if rule is not None]


def _covers(rule: OpeningRule, day: str, weekday: int) -> bool:
    return weekday in rule.weekdays and (rule.date_range is None or _holds_day(day, rule.date_range))


def _holds_day(day: str, dates: DateRange) -> bool:
    if dates.start <= dates.end:
        return dates.start <= day <= dates.end
    return day >= dates.start or day <= dates.end
