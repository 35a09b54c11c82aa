"""search_along_route: places beside the way."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import Words
from sandbox.toolsets.grouptravel.poi import PartialPlaces, Poi, poi_fields
from sandbox.toolsets.grouptravel.routing import (
    PartialRoute,
    Route,
    RouteMode,
    check_distance,
    estimate,
    route_ends,
    route_fields,
)
from sandbox.worlds import Hit, World
from sandbox.worlds.geo import Point

DEFAULT_RANGE_M, DEFAULT_LIMIT = 500, 20


class SearchAlongRouteArguments(Arguments):
    origin: Annotated[Words, Says("起点：“经度,纬度”或地点名", 'Start: "lon,lat" or the name of a place')]
    destination: Annotated[Words, Says("终点：“经度,纬度”或地点名", 'End: "lon,lat" or the name of a place')]
    keywords: Annotated[Words, Says("关键词，同 search_poi", "Keywords, as of search_poi")]
    mode: Annotated[RouteMode | None, Says("出行方式，默认 driving", "Mode, by default driving")] = None
    city: Annotated[Words | None, Says("所在城市", "City")] = None
    route_range: Annotated[
        int | None,
        Field(ge=1, le=3000),
        Says("最多偏离路线多少米", "Metres aside of the route at most"),
    ] = DEFAULT_RANGE_M
    route_index: Annotated[
        int | None,
        Field(ge=1),
        Says("第几条路线；估算只有 1 条", "Which route; the estimate has just one, 1"),
    ] = 1
    poi_limit: Annotated[
        int | None,
        Field(ge=1, le=50),
        Says("最多返回的地点数", "Places at most"),
    ] = DEFAULT_LIMIT


class PoiAlong(Poi):
    """A place beside the route. `distance_m`: how far one has to leave it; `detour_m`: there and back."""

    detour_m: int


class SearchAlongRouteResult(Result):
    """The route and the places beside it."""

    route: Route
    pois: tuple[PoiAlong, ...]


class PartialAlong(PartialPlaces):
    """A way and the places along it, as they were told."""

    route: PartialRoute | None = None


def run(arguments: SearchAlongRouteArguments, world: World, language: Language) -> SearchAlongRouteResult:
    """Places within range of the estimated line of the route."""
    check_route_index(arguments)
    mode: RouteMode = arguments.mode or "driving"
    origin, destination, city = route_ends(world, arguments.origin, arguments.destination, arguments.city)
    check_distance(mode, origin, destination)
    way = estimate(world, mode, origin, destination, city)
    cities = tuple(dict.fromkeys(name for name in (origin.city, destination.city, city) if name))
    hits = _hits_along(world, cities, arguments, way.line)
    fields: dict[str, Any] = route_fields(mode, origin, destination, way)
    return SearchAlongRouteResult(route=Route(**fields), pois=tuple(_poi(hit, language) for hit in hits))


def check_route_index(arguments: SearchAlongRouteArguments) -> None:
    """
    Raises:
        BadArgument: a second route is asked for.
    """
    if (arguments.route_index or 1) > 1:
        raise BadArgument("route_index", Says("只有 1 条路线，应为 1", "there is just one route: 1"))


def detour_m(away_m: int) -> int:
    """There and back."""
    return 2 * away_m


def _hits_along(
    world: World, cities: tuple[str, ...], arguments: SearchAlongRouteArguments, line: tuple[Point, ...]
) -> list[Hit]:
    limit = arguments.poi_limit or DEFAULT_LIMIT
    within = float(arguments.route_range or DEFAULT_RANGE_M)
    hits = [
        hit for city in cities for hit in world.search_along(city, arguments.keywords, line, within, limit)
    ]
    return hits[:limit]


def _poi(hit: Hit, language: Language) -> PoiAlong:
    away = hit.distance_m or 0
    return PoiAlong(**poi_fields(hit, language), detour_m=detour_m(away))


TOOL = Tool(
    "search_along_route",
    Says(
        "搜索路线沿途的地点；distance_m 为偏离路线的距离，detour_m 为往返绕行距离（米）",
        "Places beside a route; distance_m is how far aside of it one goes, detour_m there and back, in metres",
    ),
    SearchAlongRouteArguments,
    SearchAlongRouteResult,
    run,
    PartialAlong,
)
