"""map_search_ranking_list: lists of the best places of a region."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.travelbench.arguments import TimedArguments
from sandbox.toolsets.travelbench.places import Nothing, SearchTerms, places_within
from sandbox.worlds import World
from sandbox.worlds.records import Place
from sandbox.worlds.search import Hit, Sort

_LISTS: tuple[tuple[str, Sort], ...] = (
    ("人气榜", "relevance"),
    ("口碑榜", "rating"),
    ("实惠榜", "price_low"),
)


class MapSearchRankingListArguments(TimedArguments):
    """The published program takes any region, and checks the two numbers alone."""

    query: Annotated[str, Says("关于什么的榜单", "What the lists are about")]
    region: Annotated[str, Says("城市或区", "City or district")]
    max_lists: Annotated[float, Field(ge=1, le=10), Says("最多几个榜单", "How many lists at most")] = 5
    max_items: Annotated[
        float, Field(ge=1, le=20), Says("每个榜单最多几个地点", "How many places of each at most")
    ] = 3


class RankedPlace(Result):
    """A place of a list. rank: from 1. favourites: how many people rated it. reason: why it is here."""

    rank: int
    place_id: str
    name: str
    area: str
    favourites: int | None = None
    phone: str = ""
    reason: str = ""
    tags: tuple[str, ...] = ()


class RankingList(Result):
    """Places by one measure."""

    title: str
    items: tuple[RankedPlace, ...]


class MapSearchRankingListResult(Result):
    """Lists by different measures."""

    lists: tuple[RankingList, ...]


def run(arguments: MapSearchRankingListArguments, world: World, language: Language) -> Result:
    """The places of the region by popularity, rating and price, a list each."""
    region = arguments.region
    ranked_lists = (
        [(name, places_within(world, SearchTerms(arguments.query, sort), region)) for name, sort in _LISTS]
        if region
        else []
    )
    lists = tuple(
        RankingList(title=f"{region}{arguments.query}{name}", items=_items(hits, int(arguments.max_items)))
        for name, hits in ranked_lists[: int(arguments.max_lists)]
        if hits
    )
    return MapSearchRankingListResult(lists=lists) if lists else Nothing()


def _items(hits: list[Hit], most: int) -> tuple[RankedPlace, ...]:
    return tuple(_ranked_place(hit.place, number) for number, hit in enumerate(hits[:most], 1))


def _ranked_place(place: Place, rank: int) -> RankedPlace:
    return RankedPlace(
        rank=rank,
        place_id=place.id,
        name=place.name,
        area=place.address,
        favourites=place.reviews,
        phone=place.phone,
        reason=place.description,
        tags=place.categories,
    )


TOOL: AnyTool = Tool(
    "map_search_ranking_list",
    Says("查询某地的榜单，如火锅榜、景点榜", "Ranked lists of a region, such as its best hotpot"),
    MapSearchRankingListArguments,
    MapSearchRankingListResult,
    run,
)
