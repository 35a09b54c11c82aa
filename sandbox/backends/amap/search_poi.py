"""search_poi by AMap's searches for places by keyword and around a point."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from sandbox.backends.amap.fields import point
from sandbox.backends.amap.gazetteer import City, Gazetteer, Location
from sandbox.backends.amap.place_search import (
    LARGEST_RADIUS_M,
    MOST_PLACES,
    Circle,
    PlaceSearch,
    words_and_types,
)
from sandbox.backends.amap.places import poi_fields
from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.toolsets.grouptravel.poi import Poi
from sandbox.toolsets.grouptravel.search_poi import (
    DEFAULT_RADIUS_KM,
    SearchPoiArguments,
    SearchPoiResult,
    check_search,
)
from sandbox.worlds.geo import Point, distance_m
from sandbox.worlds.reader import REGION_RADIUS_M

SORTED_AT_MOST = 100
"""How many of AMap's first places are put into an order that it does not offer."""

_Keep = Callable[[Poi], bool]


def run(arguments: SearchPoiArguments, gazetteer: Gazetteer, language: Language) -> SearchPoiResult:
    """A page of places.

    AMap does not tell how many there are: `total` counts those that it has given so far, one more at least than the
    page needs wherever more follow, so that it is exact on the last page and a lower bound before. Price limits
    and the orders by rating and price are applied to what it gives, the orders to its first SORTED_AT_MOST.
    """
    check_search(arguments)
    city = gazetteer.city("city", arguments.city)
    search, near_region = _search(arguments, city, gazetteer)
    wanted = arguments.page * arguments.page_size
    local = _order(arguments.sort_by)
    places = search.iterate_places(gazetteer.client, SORTED_AT_MOST if local else MOST_PLACES)
    pois = (Poi(**fields) for poi in places if (fields := poi_fields(poi, language)))
    matches = (poi for poi in pois if _price_fits(poi, arguments) and near_region(poi))
    kept = sorted(matches, key=local) if local else list(islice(matches, wanted + 1))
    return SearchPoiResult(
        total=len(kept),
        page=arguments.page,
        page_size=arguments.page_size,
        pois=tuple(kept[wanted - arguments.page_size : wanted]),
    )


def _search(arguments: SearchPoiArguments, city: City, gazetteer: Gazetteer) -> tuple[PlaceSearch, _Keep]:
    """What AMap is asked, and the rest of the region's condition, where it cannot be asked both."""
    words, types = words_and_types(arguments.keywords, city.name)
    region = gazetteer.locate_known("region", arguments.region, city) if arguments.region else None
    adcode = region.adcode if region and region.district else city.adcode
    spot = _centre_of(region)
    if not arguments.location:
        circle = Circle(spot, round(REGION_RADIUS_M)) if spot else None
        return PlaceSearch(words, types, adcode, circle, "weight"), _keep_all
    centre = gazetteer.locate_known("location", arguments.location, city).spot.point
    circle = Circle(centre, _radius_m(arguments.radius_km or DEFAULT_RADIUS_KM))
    by_weight = arguments.sort_by == "relevance"
    search = PlaceSearch(words, types, adcode, circle, "weight" if by_weight else "distance")
    return search, _keep_within(spot) if spot else _keep_all


def _centre_of(region: Location | None) -> Point | None:
    """The point of a region that is no whole district."""
    return region.spot.point if region and not region.district else None


def _radius_m(kilometres: float) -> int:
    metres = kilometres * 1000
    if metres > LARGEST_RADIUS_M:
        most = LARGEST_RADIUS_M // 1000
        raise BadArgument("radius_km", Says(f"最大 {most} 公里", f"must be at most {most} km"))
    return max(1, round(metres))


def _keep_all(poi: Poi) -> bool:
    return True


def _keep_within(centre: Point) -> _Keep:
    def keep(poi: Poi) -> bool:
        at = point(poi.location)
        return at is not None and distance_m(centre, at) <= REGION_RADIUS_M

    return keep


def _price_fits(poi: Poi, arguments: SearchPoiArguments) -> bool:
    """An unknown price is within no limit."""
    low, high = arguments.price_min, arguments.price_max
    if low is None and high is None:
        return True
    return poi.price is not None and (low or 0) <= poi.price and (high is None or poi.price <= high)


def _order(sort: str | None) -> Callable[[Poi], Any] | None:
    """The orders that AMap does not offer; what is unknown comes last, equals stay as AMap has them."""
    match sort:
        case "rating":
            return lambda poi: (poi.rating is None, -(poi.rating or 0))
        case "price_low":
            return lambda poi: (poi.price is None, poi.price or 0)
        case "price_high":
            return lambda poi: (poi.price is None, -(poi.price or 0))
        case _:
            return None
