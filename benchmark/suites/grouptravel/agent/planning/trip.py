"""A whole trip under construction: its frame, its hotels, and what fills each block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmark.plans.ways import great_circle_km
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import Atlas, centre
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place, Service
from benchmark.suites.grouptravel.agent.planning.schedule import Block, Item
from benchmark.suites.grouptravel.agent.planning.score import FixedScore
from benchmark.suites.grouptravel.agent.planning.skeleton import DRIVE, Skeleton, city_point
from benchmark.suites.grouptravel.agent.planning.spots import (
    BREAKFAST,
    DINNER,
    LUNCH,
    Spot,
    category_of,
    places_in,
)
from benchmark.suites.grouptravel.agent.planning.tastes import Taste
from sandbox.worlds.geo import Point

USUAL_NIGHT_CNY = 250.0
SHABBY_CNY = 60.0
"""A bed for less is a dormitory: only for those whose budget leaves nothing else."""
_MOST_HOTELS = 3
_MORNING = 7 * 60 + 30
_BACK, _LATE_BACK = 22 * 60, 23 * 60 + 50
_LEAVE = {"飞机": 80, DRIVE: 0}
_ALIGHT = {"飞机": 25, DRIVE: 0}
_STATION_MINUTES = {"飞机": 60, DRIVE: 25}
_LUNCH_DONE, _DINNER_DONE = 12 * 60 + 50, 18 * 60 + 50


@dataclass(frozen=True, slots=True)
class Lodging:
    """A hotel: its node, CNY a person and night (a twin room shared), utility a night by traveller."""

    name: str
    node: int
    cost: float
    points: tuple[int, ...]
    worth: float


def lodgings(
    known: Knowledge, city: str, tastes: Sequence[Taste], spots: Sequence[Spot], atlas: Atlas
) -> tuple[Lodging, ...]:
    """The best few by class, nearness to the wanted sights and price, then the cheapest few; never empty."""
    hotels = [place for place in places_in(known, city) if place.kind == "hotel"]
    middle = centre(s.place.point for s in [s for s in spots if not s.meal][:8] if s.place.point)
    rated = [(place, _points(place, tastes)) for place in hotels]
    best = sorted(rated, key=lambda pair: -_worth(pair[0], pair[1], middle))[:_MOST_HOTELS]
    cheap = sorted(rated, key=lambda pair: (_cost(pair[0]), -sum(pair[1]), pair[0].name))[:_MOST_HOTELS]
    liked = sorted(rated, key=lambda pair: (-sum(pair[1]), _cost(pair[0]), pair[0].name))[:_MOST_HOTELS]
    chosen = {pair[0].id: pair for pair in [*best, *liked, *cheap]}
    if not chosen:
        unknown = atlas.add(f"{city}市区酒店", middle)
        return (Lodging(f"{city}市区酒店", unknown, USUAL_NIGHT_CNY, (0,) * len(tastes), 0.0),)
    return tuple(
        Lodging(place.name, atlas.add(place.name, place.point or middle), _cost(place), points, worth)
        for place, points in chosen.values()
        for worth in (_worth(place, points, middle),)
    )


def _points(place: Place, tastes: Sequence[Taste]) -> tuple[int, ...]:
    hotel_class = category_of(place)
    return tuple(taste.hotel_points(hotel_class) for taste in tastes)


def _cost(place: Place) -> float:
    return USUAL_NIGHT_CNY if place.price is None else place.price


def _worth(place: Place, points: Sequence[int], middle: Point | None) -> float:
    """Utility of a night for an average traveller, and small change for price, way and rating."""
    far = great_circle_km(place.point, middle) if place.point and middle else 10.0
    guess = 0.3 if place.price is None else 1.0 if place.price < SHABBY_CNY else 0.0
    return sum(points) / len(points) + 0.02 * place.rating - 0.0004 * _cost(place) - 0.012 * far - guess


@dataclass(frozen=True, slots=True)
class Trip:
    """hotels: by city of the order, None where no night is spent. items: what fills each block."""

    frame: Skeleton
    hotels: tuple[Lodging | None, ...]
    blocks: tuple[Block, ...]
    items: tuple[tuple[Item, ...], ...]

    def fixed_score(self, tastes: tuple[Taste, ...]) -> FixedScore:
        """Utility and cost of legs and nights."""
        rides = [ride for ride in self.frame.rides if ride is not None]
        nights = [(h, n) for h, n in zip(self.hotels, self.frame.nights, strict=True) if h is not None]
        points = tuple(
            sum(taste.ride_points(ride.mode) for ride in rides) + sum(h.points[u] * n for h, n in nights)
            for u, taste in enumerate(tastes)
        )
        return FixedScore(points, sum(ride.price for ride in rides) + sum(h.cost * n for h, n in nights))


class Ground:
    """Lays out the blocks of a frame; stations become nodes of the atlas."""

    def __init__(self, brief: Brief, known: Knowledge, atlas: Atlas) -> None:
        self._brief, self._knowledge, self._atlas = brief, known, atlas
        self._stations: dict[tuple[str, str], int] = {}

    def blocks(self, frame: Skeleton, hotels: Mapping[str, Lodging]) -> tuple[Block, ...]:
        """One block for every day and city, in order of time."""
        days = frame.days
        all_blocks: list[Block] = []
        for index, city in enumerate(frame.order):
            there, away = frame.rides[index], frame.rides[index + 1]
            hotel = hotels[city].node if frame.nights[index] else 0
            for day in range(days[index], days[index + 1] + 1):
                first, last = day == days[index], day == days[index + 1]
                coming, leaving = (there if first else None), (away if last else None)
                sleeps = not last
                all_blocks.append(self._block(day, index, city, hotel, coming, leaving, sleeps))
        return tuple(all_blocks)

    def _block(
        self,
        day: int,
        index: int,
        city: str,
        hotel: int,
        coming: Service | None,
        leaving: Service | None,
        sleeps: bool,
    ) -> Block:
        origin, start = hotel, _MORNING
        if coming is not None:
            origin = self.station(coming.destination, coming.mode, city)
            start = coming.arrive + _ALIGHT.get(coming.mode, 15)
        elif day == 0:
            origin = 0
        target, deadline = hotel if sleeps else 0, _LATE_BACK if start > 20 * 60 else _BACK
        if leaving is not None:
            target = self.station(leaving.origin, leaving.mode, city)
            deadline = leaving.depart - _LEAVE.get(leaving.mode, 30)
            if coming is None:
                start = max(0, min(start, deadline - self._atlas.minutes(origin, target)))
        return Block(day, index, origin, start, target, deadline, sleeps, _first_meal(coming), DINNER)

    def station(self, name: str, mode: str, city: str) -> int:
        """The node of a station or an airport (for a drive: of the city's middle)."""
        key = (name, city)
        if key not in self._stations:
            point: Point | None = self._knowledge.points.get(name)
            if mode == DRIVE:
                point = city_point(self._knowledge, city)
            self._stations[key] = self._atlas.add(name or f"{city}站", point, _STATION_MINUTES.get(mode, 40))
        return self._stations[key]


def _first_meal(coming: Service | None) -> int:
    """The first meal that can't have been taken before the leg."""
    if coming is None:
        return BREAKFAST
    if coming.depart >= _DINNER_DONE:
        return DINNER + 1
    return DINNER if coming.depart >= _LUNCH_DONE else LUNCH
