"""TRIP-Bench's toolset: 18 tools that answer in text, over places and services with their products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandbox.toolsets.base import Question, Toolset
from sandbox.toolsets.tripbench import attractions, get_date_after, hotels, positions, restaurants, services
from sandbox.toolsets.tripbench.extras import KINDS
from sandbox.toolsets.tripbench.texts import Text

_TOOLS = (
    attractions.SEARCH,
    attractions.DETAIL,
    positions.ATTRACTION,
    hotels.SEARCH,
    hotels.DETAIL,
    positions.HOTEL,
    services.SEARCH_FLIGHTS,
    services.FLIGHT_DETAIL,
    positions.AIRPORT,
    services.SEARCH_TRAINS,
    services.TRAIN_DETAIL,
    positions.STATION,
    restaurants.SEARCH,
    restaurants.DETAIL,
    positions.RESTAURANT,
    positions.ROUTE,
    positions.CITY,
    get_date_after.TOOL,
)


def _answer_alone(tell: Callable[[Any], Text]) -> Callable[[Question], str]:
    """The built-in simulator's answer of a tool that needs no world. What the others tell, no other call tells."""
    return lambda question: tell(question.valid.arguments).as_text()


TOOLSET = Toolset(
    name="tripbench",
    tools={tool.name: tool for tool in _TOOLS},
    coordinates="lon,lat",
    language="en",
    nearest={
        positions.ROUTE.name: _answer_alone(positions.estimate_route),
        get_date_after.TOOL.name: _answer_alone(get_date_after.find_day),
    },
    extras=KINDS,
)
