"""Kinds of argument that several tools share, and what is checked against the world."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Says
from sandbox.worlds import Spot, World
from sandbox.worlds.records import City
from sandbox.worlds.text import normalise

_CITIES_LISTED = 12
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_CLOCK_PATTERN = "([01][0-9]|2[0-3]):[0-5][0-9]|24:00"
_CLOCK = re.compile(_CLOCK_PATTERN)


def _real_date(value: str) -> str:
    try:
        if _DATE.fullmatch(value):
            date.fromisoformat(value)
            return value
    except ValueError:
        pass
    raise PydanticCustomError("date_format", "a real date as YYYY-MM-DD")


def _clock_time(value: str) -> str:
    if _CLOCK.fullmatch(value):
        return value
    raise PydanticCustomError("clock_format", "a time as HH:MM")


def _has_words(value: str) -> str:
    if normalise(value):
        return value
    raise PydanticCustomError("no_words", "at least one letter or digit")


Date = Annotated[str, AfterValidator(_real_date), Field(json_schema_extra={"format": "date"})]
"""A real day, YYYY-MM-DD."""

Clock = Annotated[
    str, AfterValidator(_clock_time), Field(json_schema_extra={"pattern": f"^({_CLOCK_PATTERN})$"})
]
"""A time of day, HH:MM, up to 24:00."""

Words = Annotated[str, AfterValidator(_has_words), Field(min_length=1)]
"""Text with at least one letter or digit."""


def known_city(world: World, argument: str, name: str) -> City:
    """The city of that name.

    Raises:
        BadArgument: it is no city of this world; some that are are named.
    """
    city = world.city(name)
    if city is not None:
        return city
    cities = world.cities()
    some = "、".join(each.name for each in cities[:_CITIES_LISTED])
    raise BadArgument(
        argument,
        Says(
            f"「{shorten(name)}」不是本环境中的城市。可用城市（共{len(cities)}个）：{some}",
            f'"{shorten(name)}" is no city of this world. Cities ({len(cities)} in all): {some}',
        ),
    )


def known_spot(world: World, argument: str, text: str, city: str | None) -> Spot:
    """Where a text is, within a city where one is given.

    Raises:
        BadArgument: nothing of that name is known.
    """
    spot = world.locate(text, city)
    if spot is None:
        raise unknown_spot(argument, text, city)
    return spot


def unknown_spot(argument: str, text: str, city: str | None) -> BadArgument:
    """What the tools say of a text that names nothing known, within a city where one is given."""
    where = (f"{city}", f" in {city}") if city else ("本环境", "")
    return BadArgument(
        argument,
        Says(
            f"在{where[0]}找不到「{shorten(text)}」。请用“经度,纬度”坐标，或 search_poi 返回的名称",
            f'"{shorten(text)}" was not found{where[1]}. Give "lon,lat" or a name that search_poi returned',
        ),
    )


def shorten(text: str) -> str:
    """A value that is quoted in a message."""
    return text if len(text) <= 40 else text[:40] + "…"
