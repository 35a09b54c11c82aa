"""maps_weather: the weather to expect, from the climate of the month."""

from __future__ import annotations

import hashlib
from calendar import monthrange
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import Field

from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.tools.results import Figure, OrNone, Partial, Text
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import Date, Words, known_city, known_spot
from sandbox.worlds import World
from sandbox.worlds.records import Climate

SPREAD_DEGREES = 3.0
"""How far a day's temperatures lie from the month's usual ones at most."""
_SNOW_BELOW = 1.0
_DIRECTIONS = {
    "北": "the north", "东北": "the north-east", "东": "the east", "东南": "the south-east", "南": "the south",
    "西南": "the south-west", "西": "the west", "西北": "the north-west",
}  # fmt: skip


class MapsWeatherArguments(Arguments):
    location: Annotated[Words, Says("城市名、地点名或“经度,纬度”", 'City, place or "lon,lat"')]
    date: Annotated[Date, Says("日期 YYYY-MM-DD", "Date, YYYY-MM-DD")]
    days: Annotated[
        int | None,
        Field(ge=0, le=5),
        Says("再往后的天数，0 到 5", "How many following days as well, 0 to 5"),
    ] = 0


class WeatherDay(Result):
    """Degrees Celsius, per cent, and for the wind direction and Beaufort force; None where the source has none."""

    date: str
    text: str
    low: int
    high: int
    rain_chance: int | None
    wind: str | None = None


class MapsWeatherResult(Result):
    """The day asked about and those after it."""

    city: str
    days: tuple[WeatherDay, ...]
    note: str


class PartialDay(Partial):
    """The weather of a day. low, high: as they were told."""

    date: Text = None
    text: Text = None
    low: Any = None
    high: Any = None
    rain_chance: Figure = None


class PartialWeather(Partial):
    """Days as they were told. note: how far to trust them."""

    days: list[Annotated[PartialDay | None, OrNone]] | None = None
    note: Text = None


def run(arguments: MapsWeatherArguments, world: World, language: Language) -> MapsWeatherResult:
    """The same weather for the same city and date, always."""
    spot = known_spot(world, "location", arguments.location, None)
    city = known_city(world, "location", spot.city or arguments.location)
    dates = dates_of(arguments)
    climates = {day.month: world.climate(city.name, day.month) for day in dates}
    days = tuple(weather_of(climate, day, language) for day in dates if (climate := climates[day.month]))
    return MapsWeatherResult(
        city=city.name, days=days, note=weather_note(complete=len(days) == len(dates)).to(language)
    )


def dates_of(arguments: MapsWeatherArguments) -> list[date]:
    """The day asked about and those after it.

    Raises:
        BadArgument: they lie beyond the calendar.
    """
    first = date.fromisoformat(arguments.date)
    return [_day(first, after) for after in range((arguments.days or 0) + 1)]


def _day(first: date, after: int) -> date:
    try:
        return first + timedelta(days=after)
    except OverflowError:
        raise BadArgument("date", Says("超出可用的日期", "lies beyond the calendar")) from None


def weather_of(climate: Climate, day: date, language: Language) -> WeatherDay:
    warmer, wet, _ = _chances(climate.city, day)
    share = climate.rainy_days / monthrange(day.year, day.month)[1]
    shift = (2 * warmer - 1) * SPREAD_DEGREES
    low, high = round(climate.low + shift), round(climate.high + shift)
    return WeatherDay(
        date=day.isoformat(),
        text=_sky(climate, low, wet < share, language),
        low=low,
        high=max(low, high),
        rain_chance=min(100, round(share * 100)),
        wind=_wind(climate, language),
    )


def _sky(climate: Climate, low: int, rains: bool, language: Language) -> str:
    if not rains:
        return climate.text
    return (Says("小雪", "snow") if low < _SNOW_BELOW else Says("小雨", "rain")).to(language)


def _wind(climate: Climate, language: Language) -> str | None:
    if not climate.wind:
        return None
    return wind_text(climate.wind, "-".join(map(str, dict.fromkeys(climate.wind_force or ()))), language)


def wind_text(direction: str, force: str, language: Language) -> str:
    """东南风2-3级. direction: as Chinese reports name it. force: Beaufort, as text; empty where it is not known."""
    wind = Says(f"{direction}风", f"wind from {_DIRECTIONS.get(direction, direction)}")
    return Says(
        wind.zh + (f"{force}级" if force else ""), wind.en + (f", force {force}" if force else "")
    ).to(language)


def _chances(city: str, day: date) -> tuple[float, ...]:
    """Three even numbers from 0 to 1 that belong to a city and a day."""
    digest = hashlib.sha256(f"{city} {day.isoformat()}".encode()).digest()
    return tuple(int.from_bytes(digest[at : at + 4], "big") / 2**32 for at in (0, 4, 8))


def weather_note(*, complete: bool) -> Says:
    """How far to trust the days, or that some are missing."""
    if complete:
        return Says(
            "根据当月气候推算，不是天气预报", "Estimated from the month's climate; this is no forecast"
        )
    return Says(
        "本环境缺少部分月份的气候资料；其余为气候推算，不是天气预报",
        "The world has no climate for some of these months; the rest is estimated from climate, no forecast",
    )


TOOL = Tool(
    "maps_weather",
    Says(
        "查询某地某日（及其后至多 5 天）的天气：按气候推算，不是预报",
        "Weather at a place on a date and up to 5 days after: estimated from climate, no forecast",
    ),
    MapsWeatherArguments,
    MapsWeatherResult,
    run,
    PartialWeather,
)
