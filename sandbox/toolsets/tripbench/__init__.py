"""TRIP-Bench's toolset: 18 tools that answer in text, over places and services with their products."""

from __future__ import annotations

from sandbox.toolsets.base import Toolset
from sandbox.toolsets.tripbench import attractions, get_date_after, hotels, positions, restaurants, services
from sandbox.toolsets.tripbench.extras import KINDS

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
TOOLSET = Toolset(
    name="tripbench",
    tools={tool.name: tool for tool in _TOOLS},
    coordinates="lon,lat",
    language="en",
    extras=KINDS,
)
