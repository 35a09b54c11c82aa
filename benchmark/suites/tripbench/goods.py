"""What must be for sale in a world for trips to be planned there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Good
from benchmark.suites.tripbench.frame import Frame
from sandbox.toolsets.tripbench.extras import ROOMS, TICKETS, keeps
from sandbox.toolsets.tripbench.figures import service_id
from sandbox.worlds import ExtraKind, World

_HOTELS: Final = _("hotels with rooms for sale in %(a)s")
_RESTAURANTS: Final = _("restaurants in %(a)s")
_ATTRACTIONS: Final = _("attractions in %(a)s")
_RIDES: Final = _("trains or flights with tickets for sale from %(a)s to %(b)s")


def goods_of(frames: Iterable[Frame]) -> list[Good]:
    """What such trips need: a night, a meal and a sight where they stay, and a way between the cities."""
    return [*dict.fromkeys(good for frame in frames for good in _frame_goods(frame))]


def _frame_goods(frame: Frame) -> Iterator[Good]:
    for city in frame.destinations:
        yield from place_goods(city)
    for leg in frame.legs:
        yield Good(_RIDES, leg, _sells_rides)


def place_goods(city: str) -> Iterator[Good]:
    """What a city needs to be stayed in. Meals can be ordered on site, and sights seen for nothing."""
    yield Good(_HOTELS, (city,), _sells_rooms)
    yield Good(_RESTAURANTS, (city,), _has_restaurants)
    yield Good(_ATTRACTIONS, (city,), _has_attractions)


def find_lack(world: World) -> str:
    """Why no trip at all can be planned in a world, "" where one can."""
    cities = [city.name for city in world.cities()]
    open_cities = [
        city for city in cities if all(good.is_sold(world, good.where) for good in place_goods(city))
    ]
    if not open_cities:
        return f"no city of world “{world.name}” has hotels with rooms for sale, restaurants and attractions"
    ways = ((start, end) for end in open_cities for start in cities if start != end)
    if not any(_sells_rides(world, way) and _sells_rides(world, way[::-1]) for way in ways):
        return (
            f"in world “{world.name}” no trains or flights with tickets for sale lead to a city with hotels, "
            "restaurants and attractions, and back"
        )
    return ""


def _sells_rooms(world: World, where: tuple[str, ...]) -> bool:
    return _sells(world, ROOMS, (place.id for place in world.places(where[0], "hotel")))


def _has_restaurants(world: World, where: tuple[str, ...]) -> bool:
    return any(True for _place in world.places(where[0], "restaurant"))


def _has_attractions(world: World, where: tuple[str, ...]) -> bool:
    return any(True for _place in world.places(where[0], "attraction"))


def _sells_rides(world: World, where: tuple[str, ...]) -> bool:
    start, end = where
    if not keeps(world, TICKETS):
        return world.serves(start, end)
    return _sells(world, TICKETS, map(service_id, world.services(start, end)))


def _sells(world: World, kind: ExtraKind[Any], ids: Iterable[str]) -> bool:
    """Whether one of the items has products: a world that keeps none of the kind has them made for each."""
    is_kept = keeps(world, kind)
    return any(not is_kept or bool(world.extra(kind, id_)) for id_ in ids)
