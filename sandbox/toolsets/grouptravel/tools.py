"""The ten tools, in the order in which models see them."""

from __future__ import annotations

from typing import Any

from sandbox.tools.tool import Tool
from sandbox.toolsets.grouptravel import (
    compare_routes,
    get_poi_detail,
    maps_geo,
    maps_weather,
    plan_route,
    search_along_route,
    search_poi,
    travel_search_flights,
    travel_search_trains,
    web_search,
)

TOOLS: dict[str, Tool[Any, Any]] = {
    module.TOOL.name: module.TOOL
    for module in (
        search_poi,
        get_poi_detail,
        maps_geo,
        maps_weather,
        travel_search_trains,
        travel_search_flights,
        plan_route,
        compare_routes,
        search_along_route,
        web_search,
    )
}
