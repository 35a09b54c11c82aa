"""get_date_after: a day some days after another."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Tool
from sandbox.toolsets.tripbench.arguments import WHOLE, TripArguments, TripDate
from sandbox.toolsets.tripbench.texts import Text
from sandbox.worlds import World


class GetDateAfterArguments(TripArguments):
    """A day, and a number of days, below 0 for days before."""

    date_str: TripDate
    days: Annotated[int, WHOLE, Says("之后几天", "How many days later")]


def run(arguments: GetDateAfterArguments, world: World, language: Language) -> Text:
    """The same in every world."""
    return find_day(arguments)


def find_day(arguments: GetDateAfterArguments) -> Text:
    """The day, or that the calendar does not reach so far."""
    try:
        day = date.fromisoformat(arguments.date_str) + timedelta(days=arguments.days)
    except OverflowError:
        return Text(text=f"No such day: {arguments.days} days after {arguments.date_str}.")
    return Text(text=day.isoformat())


TOOL: AnyTool = Tool(
    "get_date_after",
    Says("某日之后若干天的日期", "The date some days after another"),
    GetDateAfterArguments,
    Text,
    run,
)
