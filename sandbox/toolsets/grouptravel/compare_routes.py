"""compare_routes: every mode that makes sense between two places."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from sandbox.tools.language import Language, Says
from sandbox.tools.results import OrNone, Partial
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import Words
from sandbox.toolsets.grouptravel.routing import (
    PartialRoute,
    Route,
    RouteMode,
    estimate,
    route_ends,
    route_fields,
    too_far,
)
from sandbox.worlds import Spot, World


class CompareRoutesArguments(Arguments):
    origin: Annotated[Words, Says("起点：“经度,纬度”或地点名", 'Start: "lon,lat" or the name of a place')]
    destination: Annotated[Words, Says("终点：“经度,纬度”或地点名", 'End: "lon,lat" or the name of a place')]
    city: Annotated[Words | None, Says("所在城市", "City")] = None


class CompareRoutesResult(Result):
    """The modes within reach, quickest first."""

    routes: tuple[Route, ...]


class PartialRoutes(Partial):
    """Ways as they were told."""

    routes: list[Annotated[PartialRoute | None, OrNone]] | None = None


def run(arguments: CompareRoutesArguments, world: World, language: Language) -> CompareRoutesResult:
    """An estimate for each mode; transit only within one city."""
    origin, destination, city = route_ends(world, arguments.origin, arguments.destination, arguments.city)
    modes: list[RouteMode] = [mode for mode in get_args(RouteMode) if city or mode != "transit"]
    routes = [
        _route(world, mode, origin, destination, city)
        for mode in modes
        if not too_far(mode, origin, destination)
    ]
    return CompareRoutesResult(routes=tuple(sorted(routes, key=lambda route: route.duration_minutes)))


def _route(world: World, mode: RouteMode, origin: Spot, destination: Spot, city: str) -> Route:
    fields: dict[str, Any] = route_fields(
        mode, origin, destination, estimate(world, mode, origin, destination, city)
    )
    return Route(**fields)


TOOL = Tool(
    "compare_routes",
    Says(
        "比较两地之间公交地铁、驾车、骑行、步行的距离、时间和费用（元；driving 为每车，其余为每人）",
        "Compare transit, driving, cycling and walking between two places: distance, time and cost (CNY; driving per "
        "car, else per person)",
    ),
    CompareRoutesArguments,
    CompareRoutesResult,
    run,
    PartialRoutes,
)
