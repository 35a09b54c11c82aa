"""weather_forecast_days: the weather at a place on a day and those after it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.travelbench.arguments import Date, TimedArguments
from sandbox.toolsets.travelbench.places import Nothing
from sandbox.toolsets.travelbench.weather import Weather, city_at, weather_on
from sandbox.worlds import World

_LABELS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")


class WeatherForecastDaysArguments(TimedArguments):
    """Days are YYYY-MM-DD in China, at most 15 days after the task's time. The published program takes null for
    `date` and `days`, and any location.
    """

    location: Annotated[str, Says("行政区划或地标", "A division or a landmark")]
    date: Annotated[Date, Says("第一天 YYYY-MM-DD，最远 15 天后", "First day, at most 15 days ahead")]
    days: Annotated[
        float | None, Field(ge=1, le=15), Says("再往后几天，1 到 15", "How many following days, 1 to 15")
    ] = 1


class ForecastDay(Weather):
    """A day. day_label: of the week."""

    date: str
    day_label: str


class WeatherForecastDaysResult(Result):
    """Day by day."""

    location: str
    days: tuple[ForecastDay, ...]


def run(arguments: WeatherForecastDaysArguments, world: World, language: Language) -> Result:
    """By the climate of the month, the same for the same city and day."""
    city, days = city_at(world, arguments.location), _days(arguments)
    told = [(day, weather_on(world, city, day, language)) for day in days] if city else []
    shown = tuple(_day(day, weather) for day, weather in told if weather)
    return WeatherForecastDaysResult(location=city or "", days=shown) if shown else Nothing()


def _days(arguments: WeatherForecastDaysArguments) -> list[date]:
    """None where the day is null, which passes the published checks, or beyond the calendar."""
    try:
        first = date.fromisoformat(arguments.date)
        return [first + timedelta(days=after) for after in range(int(arguments.days or 1) + 1)]
    except (ValueError, OverflowError, TypeError):
        return []


def _day(day: date, weather: Weather) -> ForecastDay:
    return ForecastDay(date=day.isoformat(), day_label=_LABELS[day.weekday()], **weather.model_dump())


TOOL: AnyTool = Tool(
    "weather_forecast_days",
    Says("查询某地某日及其后几天的天气", "The weather at a place on a day and some days after"),
    WeatherForecastDaysArguments,
    WeatherForecastDaysResult,
    run,
)
