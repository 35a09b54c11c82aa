"""The built-in simulator: cached records of the very thing asked for, fitted to the call's other arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandbox.simulation.simulator import Question
from sandbox.toolsets.grouptravel.nearest import places, routes, searches, services, weather, web

_ANSWERS: Mapping[str, Callable[[Question], str]] = {
    "maps_geo": places.geo,
    "get_poi_detail": places.detail,
    "maps_weather": weather.weather,
    "travel_search_flights": services.flights,
    "travel_search_trains": services.trains,
    "search_poi": searches.search,
    "plan_route": routes.plan,
    "compare_routes": routes.compare,
    "search_along_route": routes.along,
    "web_search": web.web,
}


class NearestSimulator:
    """Never answers for another place, city, day or pair of cities than the call's (docs/decisions/0023, 0031).

    Where nothing is cached of these, the answer is the tool's own that it found nothing. Filters, order and page are
    fitted to the call; a route between known points is computed. The same input gives the same bytes.
    """

    id = "nearest-3"
    asks_model = False

    def simulate(self, question: Question) -> str:
        """The answer, which looks as the tool's own.

        Raises:
            BadArgument, ToolFailure: as `Simulator`.
        """
        return _ANSWERS[question.valid.tool.name](question)
