"""weather_current_conditions: the weather at a place now."""

from __future__ import annotations

from typing import Annotated

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.travelbench.arguments import TimedArguments
from sandbox.toolsets.travelbench.places import Nothing
from sandbox.toolsets.travelbench.weather import Weather, city_at, weather_on
from sandbox.worlds import World


class WeatherCurrentConditionsArguments(TimedArguments):
    """The published program takes any location."""

    location: Annotated[str, Says("行政区划或地标", "A division or a landmark")]


class WeatherCurrentConditionsResult(Weather):
    """The weather of a city."""

    location: str


def run(arguments: WeatherCurrentConditionsArguments, world: World, language: Language) -> Result:
    """By the climate of the month that it is in the task; a task without a time has no weather."""
    city, now = city_at(world, arguments.location), arguments.now
    weather = weather_on(world, city, now.date(), language) if city and now else None
    if city is None or weather is None:
        return Nothing()
    return WeatherCurrentConditionsResult(location=city, **weather.model_dump())


TOOL: AnyTool = Tool(
    "weather_current_conditions",
    Says("查询某地现在的天气", "The weather at a place now"),
    WeatherCurrentConditionsArguments,
    WeatherCurrentConditionsResult,
    run,
)
