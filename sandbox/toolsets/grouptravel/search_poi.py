"""search_poi: places of a city by keyword, area, distance and price."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import Words, known_city, known_spot
from sandbox.toolsets.grouptravel.poi import PartialPlaces, Poi, poi_fields
from sandbox.worlds import World

DEFAULT_RADIUS_KM = 5.0


class SearchPoiArguments(Arguments):
    keywords: Annotated[
        Words,
        Says(
            "关键词：名称、类别、菜品或地址；“景点”“美食”“酒店”限定类型；多个词用空格分隔，须同时满足",
            "Words of a name, category, dish or address; 景点, 美食 or 酒店 selects the kind; several words, "
            "separated by spaces, must all match",
        ),
    ]
    city: Annotated[str, Says("城市名", "City")]
    region: Annotated[
        Words | None, Says("城市内的区、街道或地标", "District, street or landmark within the city")
    ] = None
    location: Annotated[
        Words | None, Says("中心点：“经度,纬度”或地点名", 'Centre: "lon,lat" or the name of a place')
    ] = None
    radius_km: Annotated[
        float | None, Field(gt=0), Says("以 location 为中心的半径（公里）", "Kilometres around location")
    ] = DEFAULT_RADIUS_KM
    price_min: Annotated[
        float | None, Field(ge=0), Says("人均最低价（元）", "Lowest price per person in CNY")
    ] = None
    price_max: Annotated[
        float | None, Field(ge=0), Says("人均最高价（元）", "Highest price per person in CNY")
    ] = None
    sort_by: Annotated[
        Literal["relevance", "distance", "rating", "price_low", "price_high"] | None,
        Says(
            "排序：有 location 时默认按距离，否则按相关度；distance 需要 location",
            "Order: by default distance where location is given, else relevance; distance needs location",
        ),
    ] = None
    page: Annotated[int, Field(ge=1, le=1_000_000), Says("页码", "Page")] = 1
    page_size: Annotated[int, Field(ge=1, le=20), Says("每页条数", "Results a page")] = 10


class SearchPoiResult(Result):
    """One page of `total` matches."""

    total: int
    page: int
    page_size: int
    pois: tuple[Poi, ...]


def run(arguments: SearchPoiArguments, world: World, language: Language) -> SearchPoiResult:
    """A page of places."""
    city = known_city(world, "city", arguments.city)
    check_search(arguments)
    near = known_spot(world, "location", arguments.location, city.name).point if arguments.location else None
    places = world.search(
        city.name,
        arguments.keywords,
        region=arguments.region,
        near=near,
        radius_km=arguments.radius_km or DEFAULT_RADIUS_KM,
        price_min=arguments.price_min,
        price_max=arguments.price_max,
        sort=arguments.sort_by or ("distance" if near else "relevance"),
        page=arguments.page,
        page_size=arguments.page_size,
    )
    return SearchPoiResult(
        total=places.total,
        page=arguments.page,
        page_size=arguments.page_size,
        pois=tuple(Poi(**poi_fields(hit, language)) for hit in places.hits),
    )


def check_search(arguments: SearchPoiArguments) -> None:
    """What no backend can serve.

    Raises:
        BadArgument: a sort by distance from nowhere, or an empty range of prices.
    """
    if arguments.sort_by == "distance" and not arguments.location:
        raise BadArgument(
            "sort_by", Says("distance 需要同时给出 location", "distance needs location as well")
        )
    low, high = arguments.price_min, arguments.price_max
    if low is not None and high is not None and low > high:
        raise BadArgument("price_min", Says("不能大于 price_max", "must not be above price_max"))


TOOL = Tool(
    "search_poi",
    Says(
        "在一个城市内搜索景点、餐厅、酒店和地标，返回地址、坐标、评分、价格、营业时间。价格为人均（元）；"
        "酒店为两人合住双床房时每人每晚的价格",
        "Search a city's attractions, restaurants, hotels and landmarks: address, coordinates, rating, price "
        "and opening hours. Prices are CNY per person; of a hotel, per person and night when two share a twin room",
    ),
    SearchPoiArguments,
    SearchPoiResult,
    run,
    PartialPlaces,
)
