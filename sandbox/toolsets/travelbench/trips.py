"""What the two timetable tools share."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from sandbox.tools.language import Says
from sandbox.toolsets.travelbench import areas
from sandbox.toolsets.travelbench.arguments import Date, TimedArguments
from sandbox.worlds import World


class TripArguments(TimedArguments):
    """Days are YYYY-MM-DD in China, at most 15 days after the task's time. Trains want divisions by their full name
    or a unique ending of it; flights take any names that are not empty.
    """

    origin: Annotated[str, Says("出发地，行政区划全名", "From: a division by its full name")]
    destination: Annotated[str, Says("目的地，行政区划全名", "To: a division by its full name")]
    date: Annotated[Date, Says("第一天 YYYY-MM-DD，最远 15 天后", "First day, at most 15 days ahead")]
    days: Annotated[
        float, Field(ge=0, le=15), Says("再往后查几天，0 到 15", "How many following days as well, 0 to 15")
    ] = 0


def days_of(arguments: TripArguments) -> list[str]:
    """Each day that is asked about; the first alone where it is no day of the calendar."""
    try:
        first = date.fromisoformat(arguments.date)
        return [(first + timedelta(days=after)).isoformat() for after in range(int(arguments.days) + 1)]
    except (ValueError, OverflowError):
        return [arguments.date]


def city_named(world: World, text: str) -> str | None:
    """The city of the world that a division lies in, or that a name means; None outside its cities."""
    division = areas.read(text)
    city = world.city(division.city if division else text)
    return city.name if city else None
