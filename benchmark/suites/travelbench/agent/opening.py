"""Opening hours: whether a place is open on a day, and from when until when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from benchmark.suites.travelbench.agent import lexicon
from benchmark.suites.travelbench.agent.looking import Lookups
from benchmark.suites.travelbench.agent.request import Request, says
from benchmark.suites.travelbench.agent.spots import FAR
from benchmark.suites.travelbench.agent.words import Words, answer_unnamed_place, place_list
from benchmark.text import guarded
from sandbox.tools.language import Language, Says

_ALL_DAY = guarded.compile(r"全天|24\s*小时|always|24 hours", guarded.IGNORECASE)
_DATES = guarded.compile(r"(\d\d)-(\d\d)\s*[~至]\s*(\d\d)-(\d\d)")
_WINDOW = guarded.compile(r"(\d{1,2}:\d\d)\s*[-–~至]\s*(\d{1,2}:\d\d)")
_ZH, _EN = "一二三四五六日", ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_NAME = r"(?:周|星期)([一二三四五六日天])"
_SPAN_ZH = guarded.compile(rf"{_NAME}\s*[至到~-]\s*{_NAME}|{_NAME}")
_SPAN_EN = guarded.compile(rf"\b({'|'.join(_EN)})\w*(?:\s*[-–~]\s*({'|'.join(_EN)})\w*)?")


class Open(NamedTuple):
    """From when until when a place is open on a day; "" where it is closed."""

    start: str = ""
    end: str = ""


def open_on(hours: str, day: date) -> Open | None:
    """The hours of a day; None where the text does not tell."""
    if _ALL_DAY.search(hours):
        return Open("00:00", "24:00")
    parts = [part for part in guarded.split(r"[；;]", hours) if _WINDOW.search(part)]
    fitting = [part for part in parts if _holds(part, day)]
    if not parts:
        return None
    if not fitting:
        return Open() if any(_weekdays(part) for part in parts) else None
    windows = _WINDOW.findall(fitting[0])
    return Open(windows[0][0], windows[-1][1])


def _holds(part: str, day: date) -> bool:
    weekdays = _weekdays(part)
    return (not weekdays or day.weekday() in weekdays) and _in_season(part, day)


def _in_season(part: str, day: date) -> bool:
    match = _DATES.search(part)
    if match is None:
        return True
    first, last, now = f"{match[1]}{match[2]}", f"{match[3]}{match[4]}", f"{day:%m%d}"
    return first <= now <= last if first <= last else now >= first or now <= last


def _weekdays(part: str) -> set[int]:
    """Monday is 0; empty where no day of the week is named."""
    days = set[int]()
    for first, last, only in _SPAN_ZH.findall(part):
        ends = [_ZH.index(name.replace("天", "日")) for name in (first or only, last or only)]
        days |= _days_between(*ends)
    for first, last in _SPAN_EN.findall(part):
        days |= _days_between(_EN.index(first), _EN.index(last or first))
    return days


def _days_between(first: int, last: int) -> set[int]:
    return {day % 7 for day in range(first, (last if last >= first else last + 7) + 1)}


def hours(request: Request, lookups: Lookups, language: Language) -> Words:
    """Whether the place that is asked about is open, and when; a list where no place has just that name."""
    if not request.subject:
        return answer_unnamed_place(request, lookups, language)
    where = {"region": request.region} if request.region else {"center": request.coordinates, "radius": FAR}
    if not any(where.values()):
        return answer_unnamed_place(request, lookups, language)
    answer = lookups.call("map_search_places", query=request.subject, limit=3, **where)
    same = [row for row in answer.rows("places") if row.get("name") == request.subject]
    told = _opening_words(same[0], request, language) if same else ""
    return Words(told) if told else place_list(request.subject, answer, language)


def _opening_words(row: Mapping[str, Any], request: Request, language: Language) -> str:
    written, name = str(row.get("hours") or ""), str(row.get("name"))
    day = request.day or request.now.date()
    is_open = open_on(written, day)
    if is_open is None:
        return ""
    when = _day(day, request, language)
    if not is_open.end:
        usual = max(end for _, end in _WINDOW.findall(written))
        head = Says(
            f"{name}{when}不开放，开放的日子 {usual} 关门。",
            f"{name} is closed {when}; on other days it closes at {usual}.",
        )
    elif says(lexicon.CLOSING, request.words) and not says(lexicon.OPENING, request.words):
        head = Says(
            f"{name}{when}开放，{is_open.end} 关门。", f"{name} is open {when} and closes at {is_open.end}."
        )
    else:
        head = Says(
            f"{name}{when}开放，{is_open.start} 到 {is_open.end}。",
            f"{name} is open {when}, from {is_open.start} to {is_open.end}.",
        )
    whole = Says(f"开放时间：{written}。", f"Opening hours: {written}.").to(language)
    return f"{head.to(language)}\n{whole}"


def _day(day: date, request: Request, language: Language) -> str:
    """The day as people name it; "" in Chinese where it was not named."""
    if request.day is None or request.day == request.now.date():
        return Says("今天", "today").to(language)
    return Says(
        f"周{_ZH[day.weekday()]}（{day.month}月{day.day}日）", f"on {day:%A} ({day.day} {day:%B})"
    ).to(language)
