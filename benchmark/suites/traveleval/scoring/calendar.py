"""K_date by China's calendar of holidays, with working weekends (section 3.3 of the paper)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Final

from benchmark.suites.traveleval.factors import HOLIDAY, PEAK, SHORT_HOLIDAY, VACATION, WEEKDAY, WEEKEND
from benchmark.suites.traveleval.scoring.queue import SATURDAY, VACATIONS, falls_in, published_day

_MAJOR: Final = ("National Day", "Chinese New Year", "Labor Day")
_PEAKS: Final = (((12, 24), (12, 25)), ((6, 1), (6, 1)), ((9, 10), (9, 10)))
_DAY = timedelta(days=1)
_LONGEST_BREAK = 12


@lru_cache(maxsize=2**10)
def calendar_day(day: date) -> str:
    """The kind of a day: holidays, weekends, special days, school holidays; as published in years that it lacks."""
    if not has_holidays(day.year):
        return published_day(day)
    if _is_off(day) and any(_name(near).startswith(_MAJOR) for near in _days_off_around(day)):
        return HOLIDAY
    if _name(day):
        return SHORT_HOLIDAY
    if _is_off(day):
        return WEEKEND
    return PEAK if falls_in(day, _PEAKS) else VACATION if falls_in(day, VACATIONS) else WEEKDAY


def has_holidays(year: int) -> bool:
    """Whether the calendar knows the holidays of a year."""
    return bool(_holidays(year)[0])


def _days_off_around(day: date) -> list[date]:
    """The unbroken days off of which a day is one: what a holiday joins with the weekend."""
    days = [day]
    for step in (-_DAY, _DAY):
        near = day + step
        while _is_off(near) and len(days) < _LONGEST_BREAK:
            days.append(near)
            near += step
    return days


def _is_off(day: date) -> bool:
    names, working = _holidays(day.year)
    return day in names or (day.weekday() >= SATURDAY and day not in working)


def _name(day: date) -> str:
    return _holidays(day.year)[0].get(day, "")


@cache
def _holidays(year: int) -> tuple[Mapping[date, str], frozenset[date]]:
    """The days off of a year by name, and its weekends on which people work."""
    import holidays  # late: it is large

    china = holidays.country_holidays("CN", years=year, language="en_US")
    return dict(china.items()), frozenset(china.weekend_workdays)
