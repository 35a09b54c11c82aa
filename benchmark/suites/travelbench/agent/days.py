"""Which day a text means, seen from the task's time."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from benchmark.text import guarded

_ISO = guarded.compile(r"(20\d\d)[-/年](\d{1,2})[-/月](\d{1,2})")
_MONTH_DAY = guarded.compile(r"(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_ENGLISH = guarded.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+({'|'.join(_MONTHS)})[a-z]*", guarded.IGNORECASE
)
_ENGLISH_TOO = guarded.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\s+(\d{{1,2}})\b", guarded.IGNORECASE)
_MONTHS_ZH = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"]
_MORE_DAYS = guarded.compile(
    r"(\d{1,2}\s*月\s*\d{1,2})\s*[日号]?\s*(?:或者?|和|、|到|至|[-~])\s*(\d{1,2})\s*[日号]"
)
_MONTH_ALONE = guarded.compile(r"(?<!\d)(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])\s*月(?!\s*\d)")
_MONTH_ALONE_EN = guarded.compile(
    r"\b(?<!\d )(?<!(?:st|nd|rd|th) )(january|february|march|april|june|july|august|september|october|november"
    r"|december|(?<=in )may)\b(?!\s*\d)",
    guarded.IGNORECASE,
)
_DAYS_ZH = "一二三四五六日"
_WEEKDAY = guarded.compile(r"(下)?(?:这|本)?(?:周|星期|礼拜)([一二三四五六日天末])")
_DAYS_EN = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY_EN = guarded.compile(rf"\b(next )?({'|'.join(_DAYS_EN)}|weekend)\b", guarded.IGNORECASE)
_DAYS_AHEAD = (
    (guarded.compile(r"大后天"), 3),
    (guarded.compile(r"后天|day after tomorrow", guarded.IGNORECASE), 2),
    (guarded.compile(r"明[天早晚日]|明儿|\btomorrow\b", guarded.IGNORECASE), 1),
    (guarded.compile(r"今[天晚早日]|今儿|\btoday\b|\btonight\b", guarded.IGNORECASE), 0),
)
_PARTS = (
    (guarded.compile(r"上午|早上|早晨|\bmorning\b|before noon", guarded.IGNORECASE), ("00:00", "12:00")),
    (guarded.compile(r"下午|\bafternoon\b", guarded.IGNORECASE), ("12:00", "18:00")),
    (guarded.compile(r"晚上|今晚|\bevening\b|\btonight\b", guarded.IGNORECASE), ("18:00", "24:00")),
)
_SATURDAY = 5


def day_meant(text: str, now: datetime) -> date | None:
    """The day that a text names; None where it names none that is a day."""
    return _written_day(text, now) or _relative_day(text, now.date()) or _of_the_week(text, now.date())


def days_meant(text: str, now: datetime) -> tuple[date, ...]:
    """All the days that a text names by dates, in order; else the one that it names otherwise."""
    dates = [_coming(int(month), int(day), now) for month, day in _MONTH_DAY.findall(text)]
    for first, last in _MORE_DAYS.findall(text):  # 11月23日或24日
        month = _MONTH_DAY.search(first)
        dates.append(_coming(int(month[1]), int(last), now) if month else None)
    dates += [
        _coming(_MONTHS.index(name.lower()[:3]) + 1, int(day), now) for day, name in _ENGLISH.findall(text)
    ]
    days = sorted({day for day in dates if day})
    only = day_meant(text, now)
    return tuple(days) or ((only,) if only else ())


def month_meant(text: str) -> int | None:
    """The month that a text names without a day."""
    if match := _MONTH_ALONE.search(text):
        return int(match[1]) if match[1].isdecimal() else _MONTHS_ZH.index(match[1]) + 1
    if match := _MONTH_ALONE_EN.search(text):
        return _MONTHS.index(match[1].lower()[:3]) + 1
    return None


def part_of_day(text: str) -> tuple[str, str] | None:
    """The part of a day that a text names, as times from and to."""
    return next((part for pattern, part in _PARTS if pattern.search(text)), None)


def _written_day(text: str, now: datetime) -> date | None:
    if match := _ISO.search(text):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    if match := _MONTH_DAY.search(text):
        return _coming(int(match[1]), int(match[2]), now)
    if match := _ENGLISH.search(text):
        return _coming(_MONTHS.index(match[2].lower()) + 1, int(match[1]), now)
    if match := _ENGLISH_TOO.search(text):
        return _coming(_MONTHS.index(match[1].lower()) + 1, int(match[2]), now)
    return None


def _coming(month: int, day: int, now: datetime) -> date | None:
    this_year = _day(now.year, month, day)
    if this_year and this_year < now.date():
        return _day(now.year + 1, month, day)
    return this_year


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _relative_day(text: str, today: date) -> date | None:
    return next((today + timedelta(days=days) for pattern, days in _DAYS_AHEAD if pattern.search(text)), None)


def _of_the_week(text: str, today: date) -> date | None:
    if match := _WEEKDAY.search(text):
        weekday = _SATURDAY if match[2] == "末" else _DAYS_ZH.index("日" if match[2] == "天" else match[2])
        monday = today - timedelta(days=today.weekday())
        day = monday + timedelta(days=weekday + (7 if match[1] else 0))
        return day if day >= today else day + timedelta(days=7)
    if match := _WEEKDAY_EN.search(text):
        name = match[2].lower()
        weekday = _SATURDAY if name == "weekend" else _DAYS_EN.index(name)
        return today + timedelta(days=(weekday - today.weekday()) % 7 + (7 if match[1] else 0))
    return None
