"""The weather of a place by the climate of the month, for the two weather tools."""

from __future__ import annotations

from datetime import date

from sandbox.tools.language import Language
from sandbox.tools.tool import Result
from sandbox.toolsets.grouptravel import maps_weather
from sandbox.toolsets.travelbench.trips import city_named
from sandbox.worlds import World


class Weather(Result):
    """Degrees Celsius. air_quality: of live services; a world tells none."""

    condition: str
    low: int
    high: int
    wind: str | None = None
    air_quality: str | None = None


def city_at(world: World, location: str) -> str | None:
    """The city of a division, a place or a landmark; None outside the world's cities."""
    named = city_named(world, location)
    if named:
        return named
    spot = world.locate(location) if location else None
    return spot.city if spot and spot.city else None


def weather_on(world: World, city: str, day: date, language: Language) -> Weather | None:
    """The same for the same city and day; None where the world knows no climate."""
    climate = world.climate(city, day.month)
    if climate is None:
        return None
    told = maps_weather.weather_of(climate, day, language)
    return Weather(condition=told.text, low=told.low, high=told.high, wind=told.wind)
