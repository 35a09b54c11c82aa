"""The ten tools, in the order in which models see them."""

from __future__ import annotations

from typing import Any

from sandbox.tools.tool import Tool
from sandbox.toolsets.travelbench import (
    map_compute_routes,
    map_search_along_route,
    map_search_central_places,
    map_search_places,
    map_search_ranking_list,
    travel_search_flights,
    travel_search_trains,
    weather_current_conditions,
    weather_forecast_days,
    web_search,
)

TOOLS: dict[str, Tool[Any, Any]] = {
    module.TOOL.name: module.TOOL
    for module in (
        map_search_places,
        map_compute_routes,
        map_search_along_route,
        map_search_central_places,
        map_search_ranking_list,
        travel_search_flights,
        travel_search_trains,
        weather_current_conditions,
        weather_forecast_days,
        web_search,
    )
}
