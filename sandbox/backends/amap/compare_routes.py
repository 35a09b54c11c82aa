"""compare_routes by AMap."""

from __future__ import annotations

from typing import get_args

from sandbox.backends.amap.ends import located_ends, trip_between
from sandbox.backends.amap.gazetteer import Gazetteer, Located
from sandbox.backends.amap.routing import NoRoute, route_fields, ways
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.toolsets.grouptravel.compare_routes import CompareRoutesArguments, CompareRoutesResult
from sandbox.toolsets.grouptravel.route_ends import too_far
from sandbox.toolsets.grouptravel.routing import Route, RouteMode


def run(arguments: CompareRoutesArguments, gazetteer: Gazetteer, language: Language) -> CompareRoutesResult:
    """The recommended way of every mode that has one, quickest first; one that fails fails them all."""
    start, end = located_ends(arguments, gazetteer)
    modes: tuple[RouteMode, ...] = get_args(RouteMode)
    near = [mode for mode in modes if not too_far(mode, start.spot, end.spot)]
    routes = [route for mode in near if (route := _route(mode, start, end, gazetteer))]
    if not routes:
        raise BadArgument(
            "destination",
            Says("高德地图没有两地之间的路线", "AMap has no route between the two"),
        )
    return CompareRoutesResult(routes=tuple(sorted(routes, key=lambda route: route.duration_minutes)))


def _route(mode: RouteMode, start: Located, end: Located, gazetteer: Gazetteer) -> Route | None:
    trip = trip_between(mode, start, end, gazetteer)
    try:
        way = ways(gazetteer.client, trip)[0]
    except NoRoute:
        return None
    return Route(**route_fields(trip, way))
