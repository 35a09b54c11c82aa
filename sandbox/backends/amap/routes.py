"""plan_route and compare_routes by AMap."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from sandbox.backends.amap.gazetteer import Gazetteer, Location
from sandbox.backends.amap.routing import NoRoute, located_ends, route_fields, trip_between, ways
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
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
