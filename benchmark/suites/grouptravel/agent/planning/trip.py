"""A whole trip under construction: its frame, its hotels, and what fills each block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import Atlas, Point
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Service
from benchmark.suites.grouptravel.agent.planning.legs import DRIVE, city_point
from benchmark.suites.grouptravel.agent.planning.lodging import Lodging
from benchmark.suites.grouptravel.agent.planning.schedule import BREAKFAST, DINNER, LUNCH, Block, Item
from benchmark.suites.grouptravel.agent.planning.score import Fixed
from benchmark.suites.grouptravel.agent.planning.skeleton import Skeleton
from benchmark.suites.grouptravel.agent.planning.tastes import Taste

_MORNING = 7 * 60 + 30
_BACK, _LATE_BACK = 22 * 60, 23 * 60 + 50
_LEAVE = {"飞机": 80, DRIVE: 0}
_ALIGHT = {"飞机": 25, DRIVE: 0}
_STATION_MINUTES = {"飞机": 60, DRIVE: 25}
_LUNCH_DONE, _DINNER_DONE = 12 * 60 + 50, 18 * 60 + 50


@dataclass(frozen=True, slots=True)
class Trip:
    """hotels: by city of the order, None where no night is spent. items: what fills each block."""

    frame: Skeleton
    hotels: tuple[Lodging | None, ...]
    blocks: tuple[Block, ...]
    items: tuple[tuple[Item, ...], ...]

    def fixed(self, tastes: tuple[Taste, ...]) -> Fixed:
        """Utility and cost of legs and nights."""
        rides = [ride for ride in self.frame.rides if ride is not None]
        nights = [(h, n) for h, n in zip(self.hotels, self.frame.nights, strict=True) if h is not None]
        points = tuple(
            sum(taste.ride_points(ride.mode) for ride in rides) + sum(h.points[u] * n for h, n in nights)
            for u, taste in enumerate(tastes)
        )
        return Fixed(points, sum(ride.price for ride in rides) + sum(h.cost * n for h, n in nights))


class Ground:
    """Lays out the blocks of a frame; stations become nodes of the atlas."""

    def __init__(self, brief: Brief, known: Knowledge, atlas: Atlas) -> None:
        self._brief, self._known, self._atlas = brief, known, atlas
        self._stations: dict[tuple[str, str], int] = {}

    def blocks(self, frame: Skeleton, hotels: Mapping[str, Lodging]) -> tuple[Block, ...]:
        """One block for every day and city, in order of time."""
        days = frame.days
        found: list[Block] = []
        for index, city in enumerate(frame.order):
            there, away = frame.rides[index], frame.rides[index + 1]
            hotel = hotels[city].node if frame.nights[index] else 0
            for day in range(days[index], days[index + 1] + 1):
                first, last = day == days[index], day == days[index + 1]
                coming, leaving = (there if first else None), (away if last else None)
                sleeps = not last
                found.append(self._block(day, index, city, hotel, coming, leaving, sleeps))
        return tuple(found)

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
            point: Point | None = self._known.points.get(name)
            if mode == DRIVE:
                point = city_point(self._known, city)
            self._stations[key] = self._atlas.add(name or f"{city}站", point, _STATION_MINUTES.get(mode, 40))
        return self._stations[key]


def _first_meal(coming: Service | None) -> int:
    """The first meal that can't have been taken before the leg."""
    if coming is None:
        return BREAKFAST
    if coming.depart >= _DINNER_DONE:
        return DINNER + 1
    return DINNER if coming.depart >= _LUNCH_DONE else LUNCH
