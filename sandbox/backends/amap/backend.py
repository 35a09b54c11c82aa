"""AMap as a backend."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

from sandbox.backends.amap import maps_weather, search_along_route, search_poi
from sandbox.backends.amap.client import AmapClient
from sandbox.backends.amap.gazetteer import Gazetteer, Location, maps_geo
from sandbox.backends.amap.places import get_poi_detail
from sandbox.backends.amap.routing import NoRoute, located_ends, route_fields, trip_between, ways
from sandbox.backends.amap.settings import AmapSettings, settings_from
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel import TOOLSET
from sandbox.toolsets.grouptravel.compare_routes import CompareRoutesArguments, CompareRoutesResult
from sandbox.toolsets.grouptravel.plan_route import PlanRouteArguments, PlanRouteResult, mode_of
from sandbox.toolsets.grouptravel.routing import (
    Route,
    RouteMode,
    check_distance,
    check_transit_city,
    step_texts,
    too_far,
)


def plan_route(arguments: PlanRouteArguments, gazetteer: Gazetteer, language: Language) -> PlanRouteResult:
    """The way that AMap recommends."""
    mode = mode_of(arguments)
    check_transit_city(mode, arguments.city)
    start, end = located_ends(arguments, gazetteer)
    check_distance(mode, start.spot, end.spot)
    trip = trip_between(mode, start, end, gazetteer)
    trip = replace(trip, date=arguments.date or "", time=arguments.time or "")
    try:
        way = ways(gazetteer.client, trip)[0]
    except NoRoute as none:
        raise none.as_argument(mode) from none
    return PlanRouteResult(**route_fields(trip, way), steps=step_texts(way.steps, language))


def compare_routes(
    arguments: CompareRoutesArguments, gazetteer: Gazetteer, language: Language
) -> CompareRoutesResult:
    """The recommended way of every mode that has one, quickest first; one that fails fails them all."""
    start, end = located_ends(arguments, gazetteer)
    modes: tuple[RouteMode, ...] = get_args(RouteMode)
    near = [mode for mode in modes if not too_far(mode, start.spot, end.spot)]
    routes = [route for mode in near if (route := _route(mode, start, end, gazetteer))]
    if not routes:
        raise BadArgument(
            "destination", Says("高德地图没有两地之间的路线", "AMap has no route between the two")
        )
    return CompareRoutesResult(routes=tuple(sorted(routes, key=lambda route: route.duration_minutes)))


def _route(mode: RouteMode, start: Location, end: Location, gazetteer: Gazetteer) -> Route | None:
    trip = trip_between(mode, start, end, gazetteer)
    try:
        return Route(**route_fields(trip, ways(gazetteer.client, trip)[0]))
    except NoRoute:
        return None


_RUNS: Mapping[str, Callable[[Any, Gazetteer, Language], Result]] = {
    "compare_routes": compare_routes,
    "get_poi_detail": get_poi_detail,
    "maps_geo": maps_geo,
    "maps_weather": maps_weather.run,
    "plan_route": plan_route,
    "search_along_route": search_along_route.run,
    "search_poi": search_poi.run,
}


class AmapBackend:
    """The tools for places, coordinates, routes and weather. Any number of threads may share one backend: it has
    one pool of connections and one rate limit. Make it after a fork. pause: sleeps between two attempts.
    """

    name = "amap"
    toolset = TOOLSET.name
    tools = frozenset(_RUNS)

    def __init__(self, settings: AmapSettings, pause: Callable[[float], None] = time.sleep) -> None:
        self._client = AmapClient(settings, pause)
        self._gazetteer = Gazetteer(self._client)

    def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
        """The tool's result, made of what AMap answers now."""
        return _RUNS[tool.name](arguments, self._gazetteer, language)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def amap_from_environment(environ: Mapping[str, str], storage_uri: str = "memory://") -> AmapBackend | None:
    """The backend that CARAVAN_AMAP_KEY, _URL, _TIMEOUT (seconds) and _QPS set up; None without a key.

    storage_uri: where requests are counted; processes with the same redis://… share the limit.

    Raises:
        ValueError: a value is malformed; the message names the variable and what is allowed.
    """
    settings = settings_from(environ, storage_uri)
    return AmapBackend(settings) if settings else None
