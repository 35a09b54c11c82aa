"""maps_weather by AMap's forecast, which covers today and three days after it."""

from __future__ import annotations

from datetime import date

from sandbox.backends.amap.failures import unreadable
from sandbox.backends.amap.fields import Answer, record, records, text, whole
from sandbox.backends.amap.gazetteer import Gazetteer
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.toolsets.grouptravel.maps_weather import (
    MapsWeatherArguments,
    MapsWeatherResult,
    WeatherDay,
    wind_text,
)


def run(arguments: MapsWeatherArguments, gazetteer: Gazetteer, language: Language) -> MapsWeatherResult:
    """The forecast for the days asked for that it covers, of the district or city that the location is in.

    AMap gives no chance of rain: `rain_chance` is None.
    """
    located = gazetteer.with_city("location", gazetteer.locate_known("location", arguments.location, None))
    answer = gazetteer.client.get("/v3/weather/weatherInfo", {"city": located.adcode, "extensions": "all"})
    forecast = record(next(iter(records(answer.get("forecasts"))), None))
    days = [day for each in records(forecast.get("casts")) if (day := _day(each, language))]
    if not days:
        raise unreadable(f"no forecast for {located.adcode}")
    first = date.fromisoformat(arguments.date).toordinal()
    last = first + (arguments.days or 0)
    kept = tuple(day for day in days if first <= date.fromisoformat(day.date).toordinal() <= last)
    if not kept or kept[0].date != arguments.date:
        raise _outside_forecast(days)
    note = _note(text(forecast.get("reporttime")), complete=len(kept) > last - first)
    return MapsWeatherResult(
        city=text(forecast.get("city")) or located.spot.city, days=kept, note=note.to(language)
    )


def _day(cast: Answer, language: Language) -> WeatherDay | None:
    """A day; None where its date or a temperature is missing."""
    temperatures = whole(cast.get("daytemp")), whole(cast.get("nighttemp"))
    day, night = temperatures
    if day is None or night is None or not _is_date(text(cast.get("date"))):
        return None
    return WeatherDay(
        date=text(cast.get("date")),
        text=_sky(text(cast.get("dayweather")), text(cast.get("nightweather")), language),
        low=min(day, night),
        high=max(day, night),
        rain_chance=None,
        wind=_wind(text(cast.get("daywind")), text(cast.get("daypower")), language),
    )


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _sky(day: str, night: str, language: Language) -> str:
    if not day or not night or day == night:
        return day or night
    return Says(f"{day}转{night}", f"{day}, at night {night}").to(language)


def _wind(direction: str, force: str, language: Language) -> str | None:
    return wind_text(direction, force, language) if direction else None


def _outside_forecast(days: list[WeatherDay]) -> BadArgument:
    first, last = days[0].date, days[-1].date
    return BadArgument(
        "date",
        Says(f"高德天气预报只有 {first} 至 {last}", f"AMap's forecast covers {first} to {last} only"),
    )


def _note(reported: str, *, complete: bool) -> Says:
    note = Says(f"高德天气预报，发布于 {reported}", f"AMap's forecast of {reported}")
    if complete:
        return note
    return Says(f"{note.zh}；其后的日期尚无预报", f"{note.en}; there is none yet for the days after")
