"""The hotel and its rooms (step 5 of appendix A.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from benchmark.plans.ways import great_circle_km
from benchmark.suites.traveleval.baselines.brief import Brief, not_rejected, suits
from benchmark.suites.traveleval.world import Hotel
from benchmark.suites.traveleval.world.tables import ROOM_SIZES
from sandbox.worlds.geo import Point

_FAMILY = "家庭房"
_MOST_SPARE_BEDS = 2


class Stay(NamedTuple):
    """rooms: how many of each kind. cost: CNY a night. misfit: whether a family lacks its room, and spare beds."""

    hotel: Hotel
    rooms: Mapping[str, int]
    cost: float
    misfit: tuple[bool, int]


@cache
def _mixes(people: int) -> list[tuple[int, dict[str, int]]]:
    """Rooms with a bed for everybody, the fewest spare beds first."""
    counts = [range(-(-(people + _MOST_SPARE_BEDS) // size) + 1) for size in ROOM_SIZES.values()]
    mixes = []
    for each in product(*counts):
        beds = sum(n * size for n, size in zip(each, ROOM_SIZES.values(), strict=True))
        if people <= beds <= people + _MOST_SPARE_BEDS:
            mixes.append((beds - people, {kind: n for kind, n in zip(ROOM_SIZES, each, strict=True) if n}))
    return sorted(mixes, key=lambda mix: (mix[0], sum(mix[1].values()), sorted(mix[1])))


def stay_at(brief: Brief, hotel: Hotel, *, by_price: bool = False) -> Stay | None:
    """The rooms that suit: a family room for a child, no spare bed, then the price; None where there are too few.

    by_price: the price alone counts.
    """
    offers = []
    for spare, mix in _mixes(brief.people):
        if all(kind in hotel.rooms and n <= hotel.rooms[kind].stock for kind, n in mix.items()):
            cost = sum(hotel.rooms[kind].price * n for kind, n in mix.items())
            offers.append(Stay(hotel, mix, cost, (brief.has_children and _FAMILY not in mix, spare)))
    return min(offers, key=lambda own: own.cost if by_price else (own.misfit, own.cost), default=None)


def choose_nearest_stay(
    brief: Brief, points: Sequence[Point], *, keep_wishes: bool = True, most: float = math.inf
) -> Stay | None:
    """The one of least summed distance to the sights, among those that meet the wishes and have the best rooms.

    most: CNY that a night may cost. Where no hotel meets the wishes, those count that are not rejected, else all.
    """
    for hotels in _by_wish(brief, keep_wishes=keep_wishes):
        ordered = sorted(hotels, key=lambda own: (_distance_to(own, points), own.name))
        stays = [stay for hotel in ordered if (stay := stay_at(brief, hotel)) and stay.cost <= most]
        if stays:
            return min(stays, key=lambda own: own.misfit)
    return None


def choose_cheapest_stay(
    brief: Brief, points: Sequence[Point], *, keep_wishes: bool, any_rooms: bool = False
) -> Stay | None:
    """The cheapest one, of equals the nearest. any_rooms: whether more beds than needed will do."""
    for hotels in _by_wish(brief, keep_wishes=keep_wishes):
        stays = [stay for hotel in hotels if (stay := stay_at(brief, hotel, by_price=any_rooms))]
        if stays:
            return min(stays, key=lambda own: (own.cost, _distance_to(own.hotel, points), own.hotel.name))
    return None


def _by_wish(brief: Brief, *, keep_wishes: bool) -> Iterator[list[Hotel]]:
    """Those that meet the wishes, then those that are not rejected, then all."""
    hotels, wishes = [*brief.city.hotel.values()], brief.query.accommodations
    if keep_wishes:
        yield [hotel for hotel in hotels if suits([hotel.feature], wishes)]
        yield [hotel for hotel in hotels if not_rejected([hotel.feature], wishes)]
    yield hotels


def _distance_to(hotel: Hotel, points: Sequence[Point]) -> float:
    return sum(great_circle_km(hotel.point, point) for point in points)
