"""map_search_along_route: places beside the way from one point to another."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.travelbench.arguments import Coordinates, Limit, TimedArguments, point_of
from sandbox.toolsets.travelbench.places import Nothing, cities_near, listed_fields
from sandbox.worlds import World
from sandbox.worlds.geo import Point, distance_m
from sandbox.worlds.search import Hit

_BUFFERS = {"driving": 2_000.0, "walking": 500.0}
_CITIES_NEAR_M = 30_000.0


class MapSearchAlongRouteArguments(TimedArguments):
    """Points are "latitude,longitude" in degrees; buffer_radius is in metres. Of all this the published program
    checks `limit`, and that a point has one comma.
    """

    query: Annotated[str, Says("要找什么", "What to look for")]
    origin: Annotated[Coordinates, Says("起点“纬度,经度”", 'From, "latitude,longitude"')]
    destination: Annotated[Coordinates, Says("终点“纬度,经度”", 'To, "latitude,longitude"')]
    transport_mode: Annotated[Literal["driving", "walking"], Says("出行方式", "How one travels")] = "driving"
    buffer_radius: Annotated[
        float | None,
        Field(gt=0),
        Says("最多偏离路线多少米；默认驾车 2000、步行 500", "Metres aside; 2000 driving, 500 walking"),
    ] = None
    limit: Limit = 10


class PlaceAlong(Result):
    """A place by the way, without rating and cost. distance_m: metres from it. tags: what it is.

    open_now, brand, ranking: of live services; a world tells none.
    """

    place_id: str
    name: str
    category: str
    address: str
    coordinates: Annotated[str, Field(description="latitude,longitude")]
    hours: str | None = None
    open_now: bool | None = None
    brand: str = ""
    features: tuple[str, ...] = ()
    ranking: str = ""
    reviews: int | None = None
    distance_m: int | None = None
    tags: tuple[str, ...] = ()


class MapSearchAlongRouteResult(Result):
    """Places, best first."""

    places: tuple[PlaceAlong, ...]


def run(arguments: MapSearchAlongRouteArguments, world: World, language: Language) -> Result:
    """Places within range of the straight line between two points."""
    start, end = point_of(arguments.origin), point_of(arguments.destination)
    if start is None or end is None:
        return Nothing()
    hits = _hits_along(world, arguments, (start, end))
    told = tuple(_place_along(hit, language) for hit in hits)
    return MapSearchAlongRouteResult(places=told) if told else Nothing()


def _hits_along(
    world: World, arguments: MapSearchAlongRouteArguments, line: tuple[Point, Point]
) -> list[Hit]:
    within = arguments.buffer_radius or _BUFFERS.get(arguments.transport_mode, _BUFFERS["driving"])
    limit, length = int(arguments.limit), distance_m(*line)
    reached = dict.fromkeys(
        city.name for point in (*line, _middle(line)) for city in cities_near(world, point, _reach(length))
    )
    hits = [hit for city in reached for hit in world.search_along(city, arguments.query, line, within, limit)]
    return hits[:limit]


def _reach(length_m: float) -> float:
    return max(_CITIES_NEAR_M, length_m / 2)


def _middle(line: tuple[Point, Point]) -> Point:
    return (line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2


def _place_along(hit: Hit, language: Language) -> PlaceAlong:
    fields = listed_fields(hit, language)
    return PlaceAlong(
        **{name: value for name, value in fields.items() if name not in ("rating", "cost")},
        tags=hit.place.categories,
    )


TOOL: AnyTool = Tool(
    "map_search_along_route",
    Says("查找某条路线沿途的地点，如加油站、服务区", "Places beside a route, such as petrol stations"),
    MapSearchAlongRouteArguments,
    MapSearchAlongRouteResult,
    run,
)
