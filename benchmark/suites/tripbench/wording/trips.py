"""What is fixed of a trip, in a sentence, and read from one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Final

from benchmark.plans.clock import calendar_day
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.wording.table import MARK, MARKS, line
from benchmark.text import guarded
from sandbox.prompts import prompt_language
from sandbox.tools.language import Language


def trip_words(frame: Frame, own_language: str) -> str:
    """What is fixed of a trip, in a sentence."""
    language = prompt_language(own_language)
    stays = line(language, "trip.and").join(
        line(language, "trip.stay_one" if nights == 1 else "trip.stay", city=city, nights=nights)
        for city, nights in frame.stays
    )
    return line(
        language,
        "trip.alone" if frame.people == 1 else "trip.all",
        origin=frame.origin,
        stays=stays,
        start=_day_words(frame.start_date, language),
        end=_day_words(frame.end_date, language),
        people=frame.people,
    )


def _day_words(day: date, language: Language) -> str:
    return line(language, "trip.date", year=day.year, month=day.month, day=day.day, iso=day.isoformat())


_PLACE: Final = "[^,.，。0-9]{1,60}?"
_COUNT: Final = "[0-9]{1,3}"
_TRIP_FIELDS: Final = {
    **dict.fromkeys(("origin", "city"), _PLACE),
    **dict.fromkeys(("people", "nights", "month", "day"), _COUNT),
    "year": "[0-9]{4}",
    "iso": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "stays": "[^.。]{1,400}?",
}


def read_trip(text: str, language: Language) -> Frame | None:
    """The trip that a message tells of last; None where it tells of none."""
    found = [match for key in ("all", "alone") for match in _trip_pattern(language, key).finditer(text)]
    match = max(found, key=lambda one: one.start(), default=None)
    if match is None:
        return None
    told = match.groupdict()
    stays = [_read_stay(part, language) for part in told["stays"].split(line(language, "trip.and"))]
    first, last = (_read_date(told, part) for part in ("start", "end"))
    if None in stays or first is None or last is None:
        return None
    people = int(told.get("people") or 1)
    return Frame(origin=told["origin"], stays=stays, start_date=first, end_date=last, people=people)


def _read_stay(text: str, language: Language) -> tuple[str, int] | None:
    for key in ("stay", "stay_one"):
        if match := _trip_pattern(language, key).fullmatch(text):
            return (match["city"], int(match.groupdict().get("nights") or 1))
    return None


def _read_date(groups: Mapping[str, str | None], part: str) -> date | None:
    told = [groups.get(f"{part}_{name}") for name in ("year", "month", "day")]
    text = groups.get(f"{part}_iso") or "-".join(f"{int(own or 0):02d}" for own in told)
    return calendar_day(text)


@lru_cache(maxsize=64)
def _trip_pattern(language: Language, key: str) -> guarded.Pattern:
    marks = {name: f"{MARK}{name}{MARK}" for name in (*_TRIP_FIELDS, "start", "end")}
    return guarded.compile(
        _trip_expression(line(language, f"trip.{key}", **marks), language, ""), guarded.IGNORECASE
    )


def _trip_expression(text: str, language: Language, before: str) -> str:
    parts = MARKS.split(text)
    told = [guarded.escape(parts[0])]
    for name, literal in zip(parts[1::2], parts[2::2], strict=True):
        if name in ("start", "end"):
            marks = {own: f"{MARK}{own}{MARK}" for own in _TRIP_FIELDS}
            told.append(_trip_expression(line(language, "trip.date", **marks), language, f"{name}_"))
        else:
            told.append(f"(?P<{before}{name}>{_TRIP_FIELDS[name]})")
        told.append(guarded.escape(literal))
    return "".join(told)
