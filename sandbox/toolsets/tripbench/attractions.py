"""search_attractions and get_attraction_detail_with_products."""

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
    TripArguments,
)
from sandbox.toolsets.tripbench.records import Attraction
from sandbox.toolsets.tripbench.searching import Hit, Search, names_fit, reaches
from sandbox.toolsets.tripbench.texts import Text, decimal, join_fields, names, opening, position, whole
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World
from sandbox.worlds.text import normalise


class _AttractionFilters(NearArguments):
    """Minima are included; ratings are out of 5."""

    attraction_name: Annotated[str | None, Says("名称或其中一部分", "The name, or a part of it")] = None
    categories: Annotated[Names, Says("类别，符合其一即可", "Categories, one of which is enough")] = None
    rating: Minimum = None
    sight_level: Annotated[
        Literal["1A", "2A", "3A", "4A", "5A"] | None,
        Says("景区等级，如 5A", "Level of the sight, such as 5A"),
    ] = None
    comment_count: Minimum = None
    free_only: Annotated[Flag, Says("只要免费的", "Only those that are free")] = None


class SearchAttractionsArguments(NearPageArguments, _AttractionFilters):
    """Which of them are shown, in what order."""

    sort_key: Annotated[
        Literal["heat", "rating", "comment_count", "distance", "price"] | None,
        Says("排序依据，缺省为热度", "What to sort by; the heat (popularity)"),
    ] = None


class AttractionArguments(TripArguments):
    """An attraction."""

    poi_id: Annotated[str, Says("景点编号", "Id of the attraction")]


def _search(arguments: SearchAttractionsArguments, pack: World, language: Language) -> Text:
    name = normalise(arguments.attraction_name or "")

    def fits(place: Attraction) -> bool:
        return (
            name in normalise(place.name)
            and names_fit(arguments.categories, place.categories)
            and reaches(place.rating, arguments.rating)
            and reaches(place.comment_count, arguments.comment_count)
            and arguments.sight_level in (None, place.sight_level)
            and not (arguments.free_only and place.price != 0)
        )

    search = Search[Attraction](
        lambda trip, city: trip.attractions_in(city),
        fits,
        _hit_lines,
        {
            "heat": lambda hit: hit.place.heat,
            "rating": lambda hit: hit.place.rating,
            "comment_count": lambda hit: hit.place.comment_count,
            "distance": lambda hit: hit.km,
            "price": lambda hit: hit.place.price,
        },
        "No attractions found.",
    )
    return search.answer(arguments, arguments.sort_key, pack)


def _hit_lines(hit: Hit[Attraction]) -> str:
    return f"{_head(hit.place)} | distance: {decimal(hit.km)}km\n{_second_line(hit.place)}"


def _head(place: Attraction) -> str:
    return join_fields(
        f"POI ID: {place.id}",
        place.city,
        place.name,
        f"level: {place.sight_level}",
        position(place.point),
    )


def _second_line(place: Attraction) -> str:
    visit = "-".join(map(whole, place.visit_hours)) + " hours" if place.visit_hours else "None"
    return join_fields(
        f"rating: {decimal(place.rating)} ({whole(place.comment_count)} comments)",
        f"popularity Score: {decimal(place.heat)}",
        f"opening hours: {opening(place.open_hours, ' – ')}",
        f"reference visit time: {visit}",
        f"ticket price: {'Free' if place.price == 0 else decimal(place.price)}",
    )


def _tell(arguments: AttractionArguments, pack: World, language: Language) -> Text:
    place = trip_world(pack).attractions_by_id.get(arguments.poi_id)
    if place is None:
        return Text(text=f"No attraction found for the given poi_id: {arguments.poi_id}.")
    products = [
        join_fields(f"product_id: {product.id}", f"name: {product.name}", f"price: {decimal(product.price)}")
        for product in place.products
    ]
    told = (_head(place), f"categories: {names(place.categories)}", _second_line(place))
    return Text(text="\n".join((*told, *(products or ["No tickets are sold online."]))))


SEARCH: AnyTool = Tool(
    "search_attractions",
    Says("在城市里查找景点，可筛选、排序、翻页", "Attractions of a city, with filters, order and pages"),
    SearchAttractionsArguments,
    Text,
    _search,
)
DETAIL: AnyTool = Tool(
    "get_attraction_detail_with_products",
    Says("景点详情与可购门票", "An attraction, and the tickets that are sold for it"),
    AttractionArguments,
    Text,
    _tell,
)
