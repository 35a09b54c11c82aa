"""map_compute_routes: the ways from one point to another, by several modes."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.grouptravel.routing import RouteMode, estimate, step_texts, too_far
from sandbox.toolsets.travelbench.arguments import (
    Coordinates,
    Moment,
    TimedArguments,
    coordinate_text,
    point_of,
)
from sandbox.toolsets.travelbench.places import Nothing
from sandbox.worlds import Spot, World
from sandbox.worlds.geo import Point, format_point

Mode = Literal["driving", "walking", "bicycling", "transit", "motorcycle", "truck"]
_LIKE: dict[str, RouteMode] = {
    "driving": "driving",
    "motorcycle": "driving",
    "truck": "driving",
    "walking": "walking",
    "bicycling": "bicycling",
    "transit": "transit",
}


class MapComputeRoutesArguments(TimedArguments):
    """Points are "latitude,longitude" in degrees; times are ISO 8601, a departure or an arrival. The published
    program checks neither a text in `preference` nor that coordinates are numbers.
    """

    origin: Annotated[Coordinates, Says("起点“纬度,经度”", 'From, "latitude,longitude"')]
    destination: Annotated[Coordinates, Says("终点“纬度,经度”", 'To, "latitude,longitude"')]
    intermediates: Annotated[
        list[Coordinates] | None, Says("依次经过的点“纬度,经度”", 'Points on the way, "latitude,longitude"')
    ] = None
    modes: Annotated[list[Mode], Says("出行方式，可多个", "Modes of travel, one or more")] = Field(
        default=["driving"]
    )
    departure_time: Annotated[
        Moment | None, Says("出发时间，不能与 arrival_time 同用", "Departure; not with arrival_time")
    ] = None
    arrival_time: Annotated[
        Moment | None, Says("到达时间，不能与 departure_time 同用", "Arrival; not with departure_time")
    ] = None
    traffic_aware: Annotated[bool | None, Says("是否考虑实时路况", "Whether to mind the traffic")] = False
    preference: Annotated[
        Literal[
            "prefer_highways",
            "avoid_highways",
            "avoid_tolls",
            "prefer_main_roads",
            "avoid_highways+avoid_tolls",
        ]
        | None,
        Says("驾车偏好", "What kind of roads to drive on"),
    ] = None


class Way(Result):
    """A way by one mode. fare: CNY a head by transit. arrival: where a departure is given.

    lights, congestion: of live services; a world tells none. roads, transfers: the steps, in words.
    """

    mode: str
    type: str
    distance_m: int
    duration_minutes: int
    arrival: str = ""
    lights: int | None = None
    fare: float | None = None
    transfers: tuple[str, ...] = ()
    roads: tuple[str, ...] = ()
    congestion: str = ""
    estimated: bool = True


class MapComputeRoutesResult(Result):
    """A way for each mode that is an answer over this distance."""

    origin: Annotated[str, Field(description="latitude,longitude")]
    destination: Annotated[str, Field(description="latitude,longitude")]
    routes: tuple[Way, ...]


def run(arguments: MapComputeRoutesArguments, world: World, language: Language) -> Result:
    """Estimates from coordinates, over all the points in their order."""
    texts = (arguments.origin, *(arguments.intermediates or ()), arguments.destination)
    points = [point for text in texts if (point := point_of(text)) is not None]
    if len(points) < len(texts):
        return Nothing()
    spots = [_spot(world, point) for point in points]
    ways = tuple(
        way
        for mode in dict.fromkeys(arguments.modes)
        if (way := _way(arguments, world, mode, spots, language))
    )
    if not ways:
        return Nothing()
    return MapComputeRoutesResult(
        origin=coordinate_text(points[0]), destination=coordinate_text(points[-1]), routes=ways
    )


def _spot(world: World, point: Point) -> Spot:
    """A point with the city that it lies in; outside every city of the world it has none."""
    text = format_point(point)
    return world.locate(text) or Spot(text, "", "coordinate", *point)


def _way(
    arguments: MapComputeRoutesArguments, world: World, mode: str, spots: list[Spot], language: Language
) -> Way | None:
    like = _LIKE[mode]
    if any(too_far(like, spot, next_) for spot, next_ in pairwise(spots)):
        return None
    parts = [estimate(world, like, spot, next_, spot.city) for spot, next_ in pairwise(spots)]
    minutes = sum(part.whole_minutes for part in parts)
    steps = tuple(text for part in parts for text in step_texts(part.steps, language))
    transit = like == "transit"
    return Way(
        mode=mode,
        type=Says("推荐路线", "recommended").to(language),
        distance_m=round(sum(part.metres for part in parts)),
        duration_minutes=minutes,
        arrival=_arrival(arguments.departure_time, minutes),
        fare=round(sum(part.cost for part in parts), 1) if transit else None,
        transfers=steps if transit else (),
        roads=() if transit else steps,
    )


def _arrival(departure: str | None, minutes: int) -> str:
    try:
        begun = datetime.fromisoformat(departure or "")
        return (begun + timedelta(minutes=minutes)).isoformat(timespec="minutes")
    except (ValueError, OverflowError):
        return ""


TOOL: AnyTool = Tool(
    "map_compute_routes",
    Says(
        "计算两点间的路线：驾车、步行、骑行、公交、摩托车、货车；给出距离、耗时、换乘",
        "Routes between two points by car, foot, bicycle, transit, motorcycle or truck: metres, minutes, changes",
    ),
    MapComputeRoutesArguments,
    MapComputeRoutesResult,
    run,
)
