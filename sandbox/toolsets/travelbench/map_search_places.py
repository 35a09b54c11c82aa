"""map_search_places: places by keyword, about a point or in a division."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.travelbench.arguments import Coordinates, Limit, Price, Rating, TimedArguments, point_of
from sandbox.toolsets.travelbench.places import (
    ListedPlace,
    Nothing,
    Places,
    SearchTerms,
    listed_fields,
    places_around,
    places_within,
    with_rating,
)
from sandbox.worlds import World
from sandbox.worlds.search import Sort

_SORTS: dict[str, Sort] = {
    "weight": "relevance",
    "distance": "distance",
    "rating:d": "rating",
    "price:a": "price_low",
    "price:d": "price_high",
}


class MapSearchPlacesArguments(TimedArguments):
    """Points are "latitude,longitude" in degrees; radius is in metres (100 to 20,000), prices are in CNY, ratings 0
    to 10.

    Prices, and orders by price, need `price_category`. `region` is a division of China, and is read only without
    `center`.
    """

    query: Annotated[
        str, Says("要找什么：名称、类别或地址", "What to look for: a name, a category or an address")
    ]
    center: Annotated[
        Coordinates | None,
        Says("在其周围查找的坐标“纬度,经度”", 'Coordinates to search places_around, "latitude,longitude"'),
    ] = None
    radius: Annotated[
        float, Field(ge=100, le=20_000), Says("与 center 合用的半径（米）", "Metres places_around center")
    ] = 5_000
    region: Annotated[
        str | None,
        Says("行政区划全名，如北京市、北京市朝阳区", "A division by its full name, such as 北京市朝阳区"),
    ] = None
    sort_by: Annotated[
        Literal["weight", "distance", "rating:d", "price:a", "price:d"],
        Says(
            "排序：综合、距离、评分、价格升序或降序",
            "Order: overall, distance, rating, price upwards or downwards",
        ),
    ] = "weight"
    min_rating: Rating = None
    price_min: Annotated[Price, Says("最低价（元），须同时给 price_category", "Lowest price in CNY")] = None
    price_max: Annotated[Price, Says("最高价（元），须同时给 price_category", "Highest price in CNY")] = None
    price_category: Annotated[
        Literal["average_cost", "price"] | None,
        Says(
            "价格含义：人均或单价；用价格筛选或排序时必填",
            "What the price is of: a head or an item; required with prices and price orders",
        ),
    ] = None
    limit: Limit = 10


def run(arguments: MapSearchPlacesArguments, world: World, language: Language) -> Result:
    """The places that fit; outside the cities of the world there are none."""
    sort = _SORTS.get(arguments.sort_by, "relevance")
    wanted = SearchTerms(arguments.query, sort, arguments.price_min, arguments.price_max)
    center = point_of(arguments.center)
    if center is not None:
        hits = places_around(world, wanted, center, arguments.radius)
    else:
        hits = places_within(world, wanted, arguments.region or "")
    shown = with_rating(hits, arguments.min_rating)[: int(arguments.limit)]
    listed = tuple(ListedPlace(**listed_fields(hit, language)) for hit in shown)
    return Places(places=listed) if listed else Nothing()


TOOL: AnyTool = Tool(
    "map_search_places",
    Says(
        "按关键词查找地点：在某坐标周围，或在某行政区划内；给出评分、人均、营业时间等",
        "Places by keyword, around coordinates or in a division, with rating, cost a head and hours",
    ),
    MapSearchPlacesArguments,
    Places,
    run,
)
