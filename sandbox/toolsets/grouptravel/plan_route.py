"""plan_route: one way from a place to another."""

from __future__ import annotations

from typing import Annotated, Any

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Tool
from sandbox.toolsets.grouptravel.arguments import Clock, Date, Words
from sandbox.toolsets.grouptravel.routing import (
    PartialRoute,
    Route,
    RouteMode,
    check_distance,
    check_transit_city,
    estimate,
    route_ends,
    route_fields,
    step_texts,
)
from sandbox.worlds import World


class PlanRouteArguments(Arguments):
    origin: Annotated[Words, Says("起点：“经度,纬度”或地点名", 'Start: "lon,lat" or the name of a place')]
    destination: Annotated[Words, Says("终点：“经度,纬度”或地点名", 'End: "lon,lat" or the name of a place')]
    mode: Annotated[
        RouteMode | None,
        Says(
            "出行方式；不填时有 city 为 transit，否则为 driving",
            "Mode; by default transit where city is given, else driving",
        ),
    ] = None
    city: Annotated[Words | None, Says("所在城市，transit 必填", "City; required for transit")] = None
    date: Annotated[
        Date | None, Says("出发日期 YYYY-MM-DD（不影响估算）", "Date (does not change the estimate)")
    ] = None
    time: Annotated[
        Clock | None, Says("出发时间 HH:MM（不影响估算）", "Time (does not change the estimate)")
    ] = None


class PlanRouteResult(Route):
    """A route with its steps in words."""

    steps: tuple[str, ...]


def run(arguments: PlanRouteArguments, world: World, language: Language) -> PlanRouteResult:
    """The estimate for one mode."""
    mode = mode_of(arguments)
    check_transit_city(mode, arguments.city)
    origin, destination, city = route_ends(world, arguments.origin, arguments.destination, arguments.city)
    check_distance(mode, origin, destination)
    way = estimate(world, mode, origin, destination, city)
    fields: dict[str, Any] = route_fields(mode, origin, destination, way)
    return PlanRouteResult(**fields, steps=step_texts(way.steps, language))


def mode_of(arguments: PlanRouteArguments) -> RouteMode:
    """The mode asked for, or the one that no mode stands for."""
    return arguments.mode or ("transit" if arguments.city else "driving")


TOOL = Tool(
    "plan_route",
    Says(
        "估算两地之间的路线：距离、时间、费用（元；driving 为每车油费加过路费，其余为每人）和步骤。可跨城驾车",
        "Estimate a route: distance, time, cost (CNY; for driving fuel and tolls per car, else per person) and "
        "steps. Driving may lead to another city",
    ),
    PlanRouteArguments,
    PlanRouteResult,
    run,
    PartialRoute,
)
