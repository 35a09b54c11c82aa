"""Opening hours, of which AMap gives a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from sandbox.worlds.reader import published_hours
from sandbox.worlds.records import DateRange, OpeningHours, OpeningRule, TimeWindow

_DAY_NUMBERS = {name: nth for nth, name in enumerate("一二三四五六日", start=1)} | {"天": 7}
_DAY = "周[一二三四五六日天]"
_DAYS = re.compile(f"(?:{_DAY}(?:[至到~-]{_DAY})?|每天)(?:[、,，]{_DAY}(?:[至到~-]{_DAY})?)*")
_RUN = re.compile(f"({_DAY})(?:[至到~-]({_DAY}))?")
_WINDOW = re.compile(r"([0-9]{1,2}:[0-9]{2})\s*[-–—~至]\s*([0-9]{1,2}:[0-9]{2})")
_SEPARATOR = re.compile(r"[\s,，、]*")
_ALL_DAY = re.compile(r"24\s*小时(?:营业|开放)?|全天(?:营业|开放)?")
_MONTH_DAY = r"(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_SEASON = re.compile(rf"\s*({_MONTH_DAY})\s*[至到~]\s*({_MONTH_DAY})(?![0-9])\s*")
_WEEK = (1, 2, 3, 4, 5, 6, 7)
_WHOLE_DAY = (TimeWindow(open="00:00", close="24:00"),)
_YEAR = tuple(f"{date(2024, 1, 1) + timedelta(days=nth):%m-%d}" for nth in range(366))


def structured_hours(text: str) -> dict[str, Any] | None:
    """The published catalogue's structure of a text with one set of days and hours, or one for each season of the
    year; None for every other text.

    Hours that differ between weekdays do not fit: in that structure the first rule that covers a date decides. So
    seasons fit only where they leave no date out and none is in two.
    """
    rules = [_rule(part) for part in re.split("[;；]", text)]
    known = [rule for rule in rules if rule]
    if len(known) < len(rules) or not _part_the_year([rule.date_range for rule in known]):
        return None
    always = known == [OpeningRule(time_windows=_WHOLE_DAY)]
    return published_hours(OpeningHours(always_open=True) if always else OpeningHours(rules=tuple(known)))


def _rule(text: str) -> OpeningRule | None:
    """A text such as 04-01至10-31 周二至周日 09:00-17:00, of which season and days may be absent."""
    season = _SEASON.match(text)
    rest = text[season.end() :] if season else text.strip()
    days = _DAYS.match(rest)
    weekdays = _weekdays(days[0]) if days else _WEEK
    hours = rest[days.end() :].lstrip(" :：") if days else rest
    windows = _WHOLE_DAY if weekdays == _WEEK and _ALL_DAY.fullmatch(hours) else _windows(hours)
    if not windows:
        return None
    dates = DateRange(start=season[1], end=season[2]) if season else None
    return OpeningRule(date_range=dates, weekdays=weekdays, time_windows=windows)


def _part_the_year(seasons: Sequence[DateRange | None]) -> bool:
    """Whether each date is in exactly one of the seasons (None: all year)."""
    return all(sum(_holds(season, day) for season in seasons) == 1 for day in _YEAR)


def _holds(season: DateRange | None, day: str) -> bool:
    if season is None:
        return True
    if season.start <= season.end:
        return season.start <= day <= season.end
    return day >= season.start or day <= season.end


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
    windows = [(_clock(match[1]), _clock(match[2])) for match in _WINDOW.finditer(text)]
    rest = _SEPARATOR.fullmatch(_WINDOW.sub("", text))
    if not rest or any(opens >= closes or closes > "24:00" for opens, closes in windows):
        return ()
    if any(clock[3:] > "59" for window in windows for clock in window):
        return ()
    return tuple(TimeWindow(open=opens, close=closes) for opens, closes in windows)


def _clock(text: str) -> str:
    return text.rjust(5, "0")
