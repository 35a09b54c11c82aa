"""Questions about the weather: the days of the trip or a month that is named, and what follows for whoever asks.

What a tool tells of a day by the climate of its month is told as usual for the season, never as the day's forecast.
"""

from __future__ import annotations

from calendar import month_name
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from benchmark.core.actions import ToolCall
from benchmark.suites.grouptravel.agent.facts.desk import Desk
from benchmark.suites.grouptravel.agent.facts.questions import Query
from benchmark.suites.grouptravel.agent.lexicon.asks import asks
from benchmark.suites.grouptravel.agent.lexicon.phrases import phrases
from benchmark.suites.grouptravel.agent.results import as_text
from benchmark.text import guarded
from sandbox.toolsets.grouptravel.maps_weather import PartialDay, PartialWeather
from sandbox.toolsets.grouptravel.web_search import PartialAnswers

_MONTHS = {number: name for number, name in enumerate(month_name) if name}
_MOST_DAYS = 6
"""As many as the tool tells in one answer."""
_MOST_SIGNS = 3
_MIDDLE = 15
"""The day that stands for a month."""
_CLIMATE = guarded.compile(r"气候|climate", guarded.IGNORECASE)
"""What a tool notes of days that it has estimated from the month."""
_CHANCE_WEATHER = frozenset({"小雨", "小雪", "rain", "snow"})
"""How the tool words a day on which it lets it rain or snow by chance: the month has the chance beside."""
_WET, _WHITE = guarded.compile("[雨雷]|rain|shower|thunder"), guarded.compile("雪|snow")


@dataclass(frozen=True, slots=True)
class _Day:
    """day: None where the tool names none. low, high: °C. rain: a share, None where it is not told."""

    day: date | None
    sky: str
    low: float
    high: float
    rain: float | None


def weather_calls(query: Query, desk: Desk) -> list[ToolCall]:
    """The forecast, and where there is none what is known of the season."""
    days = _days_asked(query, desk)
    forecast = ToolCall(
        "maps_weather",
        {"location": query.city, "date": days[0].isoformat(), "days": len(days) - 1},
    )
    told = desk.was_made(forecast) and not _forecast_days(forecast, desk)
    return [forecast, *([_season_call(query, days[0], desk)] if told else [])]


def _season_call(query: Query, day: date, desk: Desk) -> ToolCall:
    return ToolCall("web_search", {"query": desk.say("season_search", city=query.city, month=day.month)})


def _days_asked(query: Query, desk: Desk) -> list[date]:
    """The days of the trip; the middle of a month that is named and is not the trip's."""
    brief = desk.brief
    trip = [brief.start + timedelta(days=nth) for nth in range(min(brief.days, _MOST_DAYS))]
    month = _month_named(query, desk)
    if month is None or month in {day.month for day in trip}:
        return trip
    year = brief.start.year + (month < brief.start.month)
    return [date(year, month, _MIDDLE) + timedelta(days=nth) for nth in range(_MOST_DAYS)]


def _month_named(query: Query, desk: Desk) -> int | None:
    match = guarded.search(asks(desk.brief.language).month, query.text)
    words = match.group("month").lower() if match else ""
    return asks(desk.brief.language).months.get(words) if words else None


def _forecast_days(call: ToolCall, desk: Desk) -> list[_Day]:
    days = desk.result(PartialWeather, call).days or []
    return [read for day in days if day is not None and (read := _read(day)) is not None]


def _read(day: PartialDay) -> _Day | None:
    try:
        low, high = float(as_text(day, "low")), float(as_text(day, "high"))
    except ValueError:
        return None
    chance = day.rain_chance
    share = float(chance) if isinstance(chance, int | float) else None
    return _Day(
        _date(as_text(day, "date")),
        as_text(day, "text"),
        low,
        high,
        share / 100 if share is not None and share > 1 else share,
    )


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def weather_text(query: Query, desk: Desk) -> str:
    """What to expect, and whether it is cold, hot or wet where that was asked; "" where nothing is known."""
    calls = weather_calls(query, desk)
    days, wanted = _forecast_days(calls[0], desk), _days_asked(query, desk)
    if not days:
        return _season_text(query, calls[-1], wanted[0], desk) if len(calls) > 1 else ""
    climate = _CLIMATE.search(as_text(desk.result(PartialWeather, calls[0]), "note"))
    foreign = not any(day.day in wanted for day in days) or _is_another_month(wanted, desk)
    stretches = _usual(days, foreign, desk) if climate or foreign else _forecast(days, desk)
    last = max((day.day for day in days if day.day), default=wanted[-1])
    rest = desk.say("weather_rest", date=told_date(last, desk)) if not foreign and last < wanted[-1] else ""
    verdicts = _verdicts(query.text, days, desk)
    joiner = phrases(desk.brief.language).joiner
    where = desk.say("where", city=query.city)
    return where + joiner.join(filter(None, (*stretches, rest, *verdicts)))


def _is_another_month(wanted: Sequence[date], desk: Desk) -> bool:
    return wanted[0] != desk.brief.start


def _season_text(query: Query, call: ToolCall, day: date, desk: Desk) -> str:
    answers = desk.result(PartialAnswers, call).answers or []
    texts = [as_text(answer_text, "text").rstrip("。.") for answer_text in answers if answer_text is not None]
    named = [text for text in texts if query.city.removesuffix("市") in text and str(day.month) in text]
    return desk.say("season", city=query.city, month=day.month, text=named[0]) if named else ""


def _forecast(days: Sequence[_Day], desk: Desk) -> Iterator[str]:
    """Days that look alike are told together."""
    for _, alike in groupby(days, key=lambda day: day.sky):
        yield _stretch("weather", list(alike), _span, desk)


def _usual(days: Sequence[_Day], foreign: bool, desk: Desk) -> Iterator[str]:
    """Month by month: the days' own figures are drawn about the month's."""
    for _, month in groupby(days, key=lambda day: day.day and day.day.month):
        yield _stretch("usual", list(month), _month if foreign else _span, desk)


def _stretch(key: str, days: Sequence[_Day], when: Callable[[Sequence[date], Desk], str], desk: Desk) -> str:
    dates = [day.day for day in days if day.day]
    skies = Counter(day.sky for day in days if day.sky not in _CHANCE_WEATHER or key != "usual")
    sky = max(skies, key=skies.__getitem__, default="")
    return desk.say(
        key if sky else "usual_bare",
        date=when(dates, desk) if dates else "",
        text=_sky(sky, desk),
        low=f"{min(day.low for day in days):g}",
        high=f"{max(day.high for day in days):g}",
        rain=_rain(days, desk),
    )


def _span(dates: Sequence[date], desk: Desk) -> str:
    first, last = told_date(dates[0], desk), told_date(dates[-1], desk)
    return desk.say("on", day=first) if first == last else desk.say("dates", first=first, last=last)


def _month(dates: Sequence[date], desk: Desk) -> str:
    return desk.say("month", month=dates[0].month, name=_MONTHS[dates[0].month])


def told_date(day: date, desk: Desk) -> str:
    """A date as people say it."""
    return told_day(day.month, day.day, desk)


def told_day(month: int, day: int, desk: Desk) -> str:
    """A day of a month, whichever the year; a month's number where there is no such month."""
    return desk.say("date", month=month, day=day, name=_MONTHS.get(month, month))


def _sky(text: str, desk: Desk) -> str:
    """The weather in the language of the talk; the world's own words where they are that already."""
    signs = phrases(desk.brief.language).skies
    signs_in_text = guarded.findall("|".join(sorted(signs, key=len, reverse=True)), text) if signs else []
    told = list(dict.fromkeys(signs[sign] for sign in signs_in_text))
    return phrases(desk.brief.language).join_names(told[:_MOST_SIGNS]) if told else text


def _chance(days: Iterable[_Day]) -> float | None:
    return max((day.rain for day in days if day.rain is not None), default=None)


def _rain(days: Sequence[_Day], desk: Desk) -> str:
    """Nothing where the service tells no chance, as AMap does."""
    chance = _chance(days)
    return "" if chance is None else desk.say("rain", chance=f"{chance:.0%}")


def _verdicts(text: str, days: Sequence[_Day], desk: Desk) -> Iterator[str]:
    """What was asked in one word: is it cold, hot, wet, white?"""
    low, high = min(day.low for day in days), max(day.high for day in days)
    seen = " ".join(day.sky for day in days)
    wet = _chance(days)
    measured = {
        "cold": low,
        "hot": high,
        "rain": wet if wet is not None else float(_WET.search(seen) is not None),
        "snow": float(_WHITE.search(seen) is not None),
    }
    for kind, pattern in asks(desk.brief.language).verdicts.items():
        if guarded.search(pattern, text):
            bounds = phrases(desk.brief.language).verdicts[kind]
            yield next(words for bound, words in bounds if measured[kind] < bound)
