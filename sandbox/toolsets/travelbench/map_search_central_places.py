"""map_search_central_places: places that suit several people who set out from different points."""

from __future__ import annotations

from statistics import mean
from typing import Annotated, Literal

from pydantic import Field

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.travelbench.arguments import Coordinates, Limit, Price, Rating, TimedArguments, point_of
from sandbox.toolsets.travelbench.places import (
    ListedPlace,
    Nothing,
    SearchTerms,
    listed_fields,
    places_around,
    with_rating,
)
from sandbox.worlds import World
from sandbox.worlds.geo import Point, distance_m
from sandbox.worlds.records import Place
from sandbox.worlds.search import Hit


class MapSearchCentralPlacesArguments(TimedArguments):
    """Points are "latitude,longitude" in degrees, two or more; radius is in metres (100 to 20,000), prices are in CNY
    and need `price_category`, ratings are 0 to 10.
    """

    query: Annotated[str, Says("要找什么", "What to look for")]
    origins: Annotated[
        list[Coordinates],
        Field(min_length=2),
        Says("各出发点“纬度,经度”，至少两个", 'Where people set out, "latitude,longitude" each, two or more'),
    ]
    radius: Annotated[
        float, Field(ge=100, le=20_000), Says("各出发点周围的半径（米）", "Metres places_around each of them")
    ] = 10_000
    sort_by: Annotated[
        Literal["balanced", "min_max_distance", "total_distance"],
        Says(
            "排序：综合、最远者最近、总路程最短",
            "Order: balanced, the shortest way for who is farthest, the shortest ways together",
        ),
    ] = "balanced"
    min_rating: Rating = None
    price_min: Annotated[Price, Says("最低价（元），须同时给 price_category", "Lowest price in CNY")] = None
    price_max: Annotated[Price, Says("最高价（元），须同时给 price_category", "Highest price in CNY")] = None
    price_category: Annotated[
        Literal["average_cost", "price"] | None,
        Says("价格含义；用价格筛选时必填", "What the price is of; required with prices"),
    ] = None
    limit: Limit = 10


class Central(ListedPlace):
    """A place with straight metres from the points: their mean, the largest, all together."""

    mean_distance_m: int
    largest_distance_m: int
    total_distance_m: int


class MapSearchCentralPlacesResult(Result):
    """Places, best first."""

    places: tuple[Central, ...]


def run(arguments: MapSearchCentralPlacesArguments, world: World, language: Language) -> Result:
    """Places that lie within the radius of every point."""
    points = [point for text in arguments.origins if (point := point_of(text)) is not None]
    if len(points) < 2:
        return Nothing()
    wanted = SearchTerms(arguments.query, low=arguments.price_min, high=arguments.price_max)
    near_first = places_around(world, wanted, points[0], arguments.radius)
    hits = [
        hit
        for hit in with_rating(near_first, arguments.min_rating)
        if max(_distances(hit, points)) <= arguments.radius
    ]
    hits.sort(key=lambda hit: _rank(hit, points, arguments.sort_by))
    shown = tuple(_central_place(hit, points, language) for hit in hits[: int(arguments.limit)])
    return MapSearchCentralPlacesResult(places=shown) if shown else Nothing()


def _distances(hit: Hit, points: list[Point]) -> list[float]:
    return [distance_m(_point(hit.place), point) for point in points]


def _point(place: Place) -> Point:
    return place.longitude, place.latitude


def _rank(hit: Hit, points: list[Point], order: str) -> float:
    """balanced: the mean of the mean and the largest distance, less a kilometre a star."""
    away = _distances(hit, points)
    match order:
        case "min_max_distance":
            return max(away)
        case "total_distance":
            return sum(away)
        case _:
            return (mean(away) + max(away)) / 2 - 1_000 * (hit.place.rating or 0)


def _central_place(hit: Hit, points: list[Point], language: Language) -> Central:
    away = _distances(hit, points)
    fields = listed_fields(hit, language) | {"distance_m": None}
    return Central(
        **fields,
        mean_distance_m=round(mean(away)),
        largest_distance_m=round(max(away)),
        total_distance_m=round(sum(away)),
    )


TOOL: AnyTool = Tool(
    "map_search_central_places",
    Says("为多个出发点找居中的地点，便于碰面", "Places in the middle of several points, to meet at"),
    MapSearchCentralPlacesArguments,
    MapSearchCentralPlacesResult,
    run,
)
