"""maps_weather: the place and the days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import cast

from sandbox.calls import Example
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.arguments import unknown_spot
from sandbox.toolsets.grouptravel.maps_weather import (
    MapsWeatherArguments,
    MapsWeatherResult,
    dates_of,
    weather_note,
)
from sandbox.toolsets.grouptravel.nearest.records import (
    fit_example,
    good,
    read_as,
    result_text,
    unknown_failure,
)
from sandbox.toolsets.grouptravel.nearest.sameness import day_of, same_day, same_place


def weather(question: Question) -> str:
    """What is cached of the days at the same place; the days that are not are left out, as the tool does.

    Raises:
        ToolFailure: nothing is cached of the place.
    """
    asked = cast("MapsWeatherArguments", question.valid.arguments)
    here = [
        example
        for example in good(question.examples)
        if same_place(asked.location, None, example.call.arguments.get("location"), None)
    ]
    if not here:
        raise unknown_failure(unknown_spot("location", asked.location, None))
    ours = [result for example in here if (result := read_as(MapsWeatherResult, example))]
    known = {day.date: day for result in reversed(ours) for day in result.days}
    wanted = [date.isoformat() for date in dates_of(asked)]
    if len(ours) < len(here) and not all(date in known for date in wanted):
        for example in _of_these_days(here, asked):
            return fit_example(example, question)
    days = tuple(known[date] for date in wanted if date in known)
    note = weather_note(complete=len(days) == len(wanted)).to(question.language)
    return result_text(MapsWeatherResult(city=_city(ours, asked), days=days, note=note))


def _of_these_days(here: Sequence[Example], asked: MapsWeatherArguments) -> list[Example]:
    """Records of any form that were asked for all the days: from the same one on, or from an earlier one."""
    return [example for example in here if _covers(example, asked)]


def _covers(example: Example, asked: MapsWeatherArguments) -> bool:
    given = example.call.arguments
    days = given.get("days") or 0
    first = day_of(given.get("date"))
    if first is None or not isinstance(days, int) or not 0 <= days <= 1000:
        return False
    last = dates_of(asked)[-1]
    return same_day(given.get("date"), asked.date) and last - first <= timedelta(days=days)


def _city(ours: Sequence[MapsWeatherResult], asked: MapsWeatherArguments) -> str:
    return ours[0].city if ours else asked.location
