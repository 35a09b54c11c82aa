"""What the built-in simulator answers, tool by tool: from records of the very thing asked for, or not at all."""

from collections.abc import Callable, Mapping

from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.nearest import places, routes, searches, services, weather, web

ANSWERS: Mapping[str, Callable[[Question], str]] = {
    "maps_geo": places.geo,
    "get_poi_detail": places.detail,
    "maps_weather": weather.weather,
    "travel_search_flights": services.flights,
    "travel_search_trains": services.trains,
    "search_poi": searches.search,
    "plan_route": routes.plan,
    "compare_routes": routes.compare,
    "search_along_route": routes.answer_along_route,
    "web_search": web.web,
}
