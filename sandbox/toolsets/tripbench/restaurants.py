"""search_restaurants and get_restaurant_detail_with_products."""

from __future__ import annotations

from typing import Annotated, Literal

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Tool
from sandbox.toolsets.tripbench.arguments import (
    Flag,
    Minimum,
    Names,
    NearArguments,
    NearPageArguments,
    OptionalNumber,
    TripArguments,
)
from sandbox.toolsets.tripbench.records import Restaurant
from sandbox.toolsets.tripbench.searching import Hit, Search, lies_within, names_fit, reaches
from sandbox.toolsets.tripbench.texts import Text, decimal, join_fields, opening, position, stars, whole
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World


class _RestaurantFilters(NearArguments):
    """Prices are the average a head. Minima are included; stars are out of 5, the ratings of aspects out of 10."""

    price_min: Annotated[OptionalNumber, Says("最低人均", "Lowest average price a head")] = None
    price_max: Annotated[OptionalNumber, Says("最高人均", "Highest average price a head")] = None
    stars: Minimum = None
    review_count: Minimum = None
    product_rating: Minimum = None
    environment_rating: Minimum = None
    service_rating: Minimum = None
    categories: Annotated[Names, Says("菜系，符合其一即可", "Cuisines, one of which is enough")] = None
    reservable: Annotated[Flag, Says("只要可预订的", "Only those where a table can be reserved")] = None


class SearchRestaurantsArguments(NearPageArguments, _RestaurantFilters):
    """Which of them are shown, in what order."""

    sort_key: Annotated[
        Literal[
            "stars", "price", "distance", "review_count", "product_rating", "environment_rating",
            "service_rating",
        ]
        | None,
        Says("排序依据，缺省为星级", "What to sort by; the stars"),
    ] = None  # fmt: skip


class RestaurantArguments(TripArguments):
    """A restaurant."""

    restaurant_id: Annotated[str, Says("餐厅编号", "Id of the restaurant")]


def _search(arguments: SearchRestaurantsArguments, pack: World, language: Language) -> Text:
    def fits(place: Restaurant) -> bool:
        return bool(
            lies_within(place.avg_price, arguments.price_min, arguments.price_max)
            and names_fit(arguments.categories, [place.category])
            and reaches(place.stars, arguments.stars)
            and reaches(place.review_count, arguments.review_count)
            and reaches(place.product_rating, arguments.product_rating)
            and reaches(place.environment_rating, arguments.environment_rating)
            and reaches(place.service_rating, arguments.service_rating)
            and (place.reservable or not arguments.reservable)
        )

    search = Search[Restaurant](
        lambda trip, city: trip.restaurants_in(city),
        fits,
        _hit_line,
        {
            "stars": lambda hit: hit.place.stars,
            "price": lambda hit: hit.place.avg_price,
            "distance": lambda hit: hit.km,
            "review_count": lambda hit: hit.place.review_count,
            "product_rating": lambda hit: hit.place.product_rating,
            "environment_rating": lambda hit: hit.place.environment_rating,
            "service_rating": lambda hit: hit.place.service_rating,
        },
        "No restaurants found.",
    )
    return search.answer(arguments, arguments.sort_key, pack)


def _hit_line(hit: Hit[Restaurant]) -> str:
    return f"{_head(hit.place)} | distance: {decimal(hit.km)}km"


def _head(place: Restaurant) -> str:
    return join_fields(
        f"Restaurant_id: {place.id}",
        place.name,
        f"category: {place.category}",
        f"avg_price: {decimal(place.avg_price)}",
        stars(place.stars),
        f"review_count: {whole(place.review_count)}",
        position(place.point),
        f"open_hours: {opening(place.open_hours)}",
    )


def _tell(arguments: RestaurantArguments, pack: World, language: Language) -> Text:
    place = trip_world(pack).restaurants_by_id.get(arguments.restaurant_id)
    if place is None:
        return Text(text=f"No restaurant found for the given restaurant_id: {arguments.restaurant_id}.")
    menus = [
        join_fields(
            f"product_id: {menu.id}",
            f"people: {menu.people}",
            f"price: {decimal(menu.price)}",
            f"available_time_ranges: {opening(menu.time_ranges) if menu.time_ranges else 'any time'}",
        )
        for menu in place.products
    ]
    told = join_fields(
        _head(place),
        f"product_rating: {decimal(place.product_rating)}",
        f"environment_rating: {decimal(place.environment_rating)}",
        f"service_rating: {decimal(place.service_rating)}",
        f"reservable: {place.reservable}",
        f"must_reserve: {place.must_reserve}",
        *(menus or ["No set menu is sold: order on site."]),
    )
    return Text(text=told)


SEARCH: AnyTool = Tool(
    "search_restaurants",
    Says("在城市里查找餐厅，可筛选、排序、翻页", "Restaurants of a city, with filters, order and pages"),
    SearchRestaurantsArguments,
    Text,
    _search,
)
DETAIL: AnyTool = Tool(
    "get_restaurant_detail_with_products",
    Says("餐厅详情与可购套餐", "A restaurant, and the set menus that it sells"),
    RestaurantArguments,
    Text,
    _tell,
)
