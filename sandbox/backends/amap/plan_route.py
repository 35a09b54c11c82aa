"""plan_route by AMap."""

from __future__ import annotations

from dataclasses import replace

from sandbox.backends.amap.ends import located_ends, trip_between
from sandbox.backends.amap.gazetteer import Gazetteer
from sandbox.backends.amap.routing import NoRoute, route_fields, ways
from sandbox.tools.language import Language
from sandbox.toolsets.grouptravel.plan_route import PlanRouteArguments, PlanRouteResult
from sandbox.toolsets.grouptravel.route_ends import check_distance, check_transit_city
from sandbox.toolsets.grouptravel.routing import RouteMode, step_texts


def run(arguments: PlanRouteArguments, gazetteer: Gazetteer, language: Language) -> PlanRouteResult:
    """The way that AMap recommends."""
    mode: RouteMode = arguments.mode or ("transit" if arguments.city else "driving")
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
