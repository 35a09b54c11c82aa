"""Places as TravelBench's tools list them, and how a world is searched for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from sandbox.tools.language import Language
from sandbox.tools.tool import Result
from sandbox.toolsets.grouptravel.poi import hours_text
from sandbox.toolsets.travelbench import areas
from sandbox.toolsets.travelbench.arguments import coordinate_text
from sandbox.worlds import World
from sandbox.worlds.geo import Point, distance_m
from sandbox.worlds.records import City
from sandbox.worlds.search import Hit, Sort

NOTHING_FOUND = "没有找到相关信息，请确认输入参数是否正确；如无误，可能当前暂无相关数据"
"""What every tool says where it has nothing. Not worded by us: golden tool calls compare its bytes."""
_CANDIDATES = 50
"""Places of a city that are looked at before those that don't fit are left out."""


class Nothing(Result):
    """An empty result."""

    def as_text(self) -> str:
        """The published sentence."""
        return NOTHING_FOUND


class ListedPlace(Result):
    """A place. rating: 0 to 5; cost: CNY a head; what the source does not tell is None or empty.

    open_now, brand, ranking: of live services; a world tells none.
    """

    place_id: str
    name: str
    category: str
    address: str
    coordinates: Annotated[str, Field(description="latitude,longitude")]
    rating: float | None = None
    cost: float | None = None
    hours: str | None = None
    open_now: bool | None = None
    brand: str = ""
    features: tuple[str, ...] = ()
    ranking: str = ""
    reviews: int | None = None
    distance_m: int | None = None


class Places(Result):
    """Places, best first."""

    places: tuple[ListedPlace, ...]


def listed_fields(hit: Hit, language: Language) -> dict[str, Any]:
    """The fields of `ListedPlace`."""
    place = hit.place
    return {
        "place_id": place.id,
        "name": place.name,
        "category": place.category or place.kind,
        "address": place.address,
        "coordinates": coordinate_text((place.longitude, place.latitude)),
        "rating": place.rating,
        "cost": place.price,
        "hours": hours_text(place.opening_hours, language),
        "features": place.dishes,
        "reviews": place.reviews,
        "distance_m": hit.distance_m,
    }


class SearchTerms(NamedTuple):
    """What is searched for. low, high: CNY, None for no bound."""

    query: str
    sort: Sort = "relevance"
    low: float | None = None
    high: float | None = None


def places_around(world: World, wanted: SearchTerms, point: Point, radius_m: float) -> list[Hit]:
    """The places within some metres of a point, of every city that reaches there."""
    hits = [
        hit
        for city in cities_near(world, point, radius_m)
        for hit in world.search(
            city.name,
            wanted.query,
            near=point,
            radius_km=radius_m / 1000,
            price_min=wanted.low,
            price_max=wanted.high,
            sort=wanted.sort,
            page_size=_CANDIDATES,
        ).hits
    ]
    return sorted(hits, key=lambda hit: hit.distance_m or 0) if wanted.sort == "distance" else hits


def cities_near(world: World, point: Point, radius_m: float) -> Iterator[City]:
    """The cities of a world whose ground may hold a place that near to a point."""
    for city in world.cities():
        if distance_m(point, (city.longitude, city.latitude)) <= city.radius_km * 1000 + radius_m:
            yield city


def places_within(world: World, wanted: SearchTerms, region: str) -> list[Hit]:
    """The places of a division, or of the whole world where none is named."""
    return [
        hit
        for city, part in _searched_parts(world, region)
        for hit in world.search(
            city,
            wanted.query,
            region=part,
            price_min=wanted.low,
            price_max=wanted.high,
            sort=wanted.sort,
            page_size=_CANDIDATES,
        ).hits
    ]


def _searched_parts(world: World, region: str) -> list[tuple[str, str | None]]:
    """The cities of a region, each with the part of it that is meant, None for all of it."""
    division = areas.read(region)
    if not region:
        return [(city.name, None) for city in world.cities()]
    if division is None:
        return [(region, None)]
    return [(division.city, division.name if division.name != division.city else None)]


def with_rating(hits: Iterable[Hit], least: float | None) -> list[Hit]:
    """Those of at least that rating; places that nobody rated have none."""
    if not least:
        return list(hits)
    return [hit for hit in hits if (hit.place.rating or 0) >= least]
