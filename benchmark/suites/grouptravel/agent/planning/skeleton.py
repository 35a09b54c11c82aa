"""The frame of a trip: order of the cities, nights in each, and the ways between them, by service or by car."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations, pairwise, permutations, product

from benchmark.plans.ways import great_circle_km
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import written_point
from benchmark.suites.grouptravel.agent.planning.knowledge import Drive, Knowledge, Service
from benchmark.suites.grouptravel.agent.planning.score import promise_worth
from benchmark.suites.grouptravel.agent.planning.spots import Spot
from benchmark.suites.grouptravel.agent.planning.tastes import Taste

DRIVE = "自驾"
WAKING, EARLY = 8 * 60, 0.6
"""Nobody likes to leave before eight: what an hour earlier costs, in utility."""
_LATEST_ARRIVAL = 22 * 60 + 45
_UNKNOWN_KM = 400.0
_DRIVE_KMH, _DRIVE_CNY_PER_KM, _SEATS = 80.0, 1.1, 5
_LONGEST_DRIVE, _EASY_DRIVE = 15 * 60, 10 * 60
_PERIODS = (7 * 60 + 30, 9 * 60, 12 * 60, 15 * 60, 18 * 60)
"""Minutes of departure at which another part of the day begins."""
_THRIFT = (0.0, 0.002, 0.01)
"""Worth of a CNY when a leg is chosen; each is tried, the budgets decide."""
_DAY = (9.0, 21.0)
_HOURS_A_SIGHT, _HOURS_A_MEAL = 3.4, 6.0
_MEALS_A_DAY_CNY = 130.0
_CHANGE = 90
_ORDERED_IN_FULL = 4


def _ways(
    brief: Brief,
    known: Knowledge,
    tastes: Sequence[Taste],
    origin: str,
    destination: str,
    day: int,
    home: bool,
) -> list[Service]:
    """Sensible ways to go on that day, the quickest and the cheapest of each mode and part of the day.

    home: the last leg, which alone may arrive on a later day. Never empty: a drive is always possible.
    """
    date = (brief.start + timedelta(days=day)).isoformat()
    running = known.services_between(origin, destination, date)
    sameday = [s for s in running if s.day_offset == 0 and (home or s.arrive <= _LATEST_ARRIVAL)]
    usable = [s for s in sameday if s.depart >= 6 * 60] or sameday
    if not usable and home:
        usable = [s for s in running if s.day_offset]
    chosen = _distinct(usable)
    liked = any(taste.ride_points(DRIVE) > 0 for taste in tastes)
    driven = drives(brief, known, origin, destination) if liked or not chosen else []
    if liked:
        chosen += [drive for drive in driven if drive.duration <= _EASY_DRIVE]
    return chosen or driven


def _distinct(services: Iterable[Service]) -> list[Service]:
    best: dict[tuple[str, int, str], Service] = {}
    for service in services:
        period = bisect_right(_PERIODS, service.depart)
        for kind, better in (("quick", _quicker), ("cheap", _cheaper)):
            before = best.get((service.mode, period, kind))
            if before is None or better(service, before):
                best[(service.mode, period, kind)] = service
    return list(dict.fromkeys(best.values()))


def _quicker(a: Service, b: Service) -> bool:
    return (a.duration, a.price, a.depart) < (b.duration, b.price, b.depart)


def _cheaper(a: Service, b: Service) -> bool:
    return (a.price, a.duration, a.depart) < (b.price, b.duration, b.depart)


def drives(brief: Brief, known: Knowledge, origin: str, destination: str) -> list[Service]:
    """Drives that begin early, at noon and late; times and cost from plan_route, else estimated from the distance."""
    road = _road(known, origin, destination)
    length = road.minutes or road.kilometres / _DRIVE_KMH * 60
    needed = min(_LONGEST_DRIVE, max(30, math.ceil(length / 5) * 5))
    people = max(1, brief.head_count)
    car = road.kilometres * _DRIVE_CNY_PER_KM if road.cost is None else road.cost
    price = round(car * math.ceil(people / _SEATS) / people, 1)
    starts = [start for start in (7 * 60, 12 * 60 + 30, 16 * 60) if start + needed <= _LATEST_ARRIVAL]
    return [
        Service(DRIVE, "", origin, destination, start, start + needed, 0, needed, price) for start in starts
    ]


def _road(known: Knowledge, origin: str, destination: str) -> Drive:
    """The drive as a tool told it, else by the distance, in no known time."""
    if known.drives:
        starts, ends = _spots_in(known, origin), _spots_in(known, destination)
        for (start, end), told in known.drives.items():
            if start in starts and end in ends:
                return told
    a, b = city_point(known, origin), city_point(known, destination)
    return Drive(max(20.0, great_circle_km(a, b) * 1.3) if a and b else _UNKNOWN_KM, 0.0, None)


def _spots_in(known: Knowledge, city: str) -> set[str]:
    """Every point that was told of a city, as routes are asked for: more are told after a route was asked for."""
    points = (known.points.get(city), *(place.point for place in known.places.get(city, {}).values()))
    return {written_point(point) for point in points if point}


def city_point(known: Knowledge, city: str) -> tuple[float, float] | None:
    """Where a city is: as geocoded, else where the first of its known places is."""
    points = (place.point for place in known.places.get(city, {}).values())
    return known.points.get(city) or next((point for point in points if point), None)


@dataclass(frozen=True, slots=True)
class Skeleton:
    """order: the cities. nights: in each. rides: to each city and home, None where no leg is needed.

    days: the trip's day (from 0) of each leg, one more than there are cities.
    """

    order: tuple[str, ...]
    nights: tuple[int, ...]
    rides: tuple[Service | None, ...]
    worth: float

    @property
    def days(self) -> tuple[int, ...]:
        return leg_days(self.nights)


def leg_days(nights: Sequence[int]) -> tuple[int, ...]:
    """The first leg is on day 0, each following one after that city's nights."""
    days = [0]
    for stay in nights:
        days.append(days[-1] + stay)
    return tuple(days)


class Frames:
    """Finds good skeletons without planning any day: a city's worth grows with the hours spent there."""

    def __init__(
        self,
        brief: Brief,
        known: Knowledge,
        tastes: Sequence[Taste],
        spots: Mapping[str, Sequence[Spot]],
        night_cost: Mapping[str, float],
    ) -> None:
        self._brief, self._knowledge, self._tastes = brief, known, tastes
        self._nights = night_cost
        self._gains = {city: _gains(spots_of_city, len(tastes)) for city, spots_of_city in spots.items()}
        self._services: dict[tuple[str, str, int], list[Service]] = {}
        self._best: dict[tuple[str, str, int, float], list[Service]] = {}

    def best(self, count: int) -> list[Skeleton]:
        """The best few, best first; never empty (cities are left out where time is too short for all)."""
        cities = self._brief.cities
        for size in range(len(cities), 0, -1):
            frames = [frame for order in _orders(cities, size) for frame in self._of(order)]
            if frames:
                return sorted(frames, key=lambda frame: -frame.worth)[:count]
        return [Skeleton(cities[:1], (self._brief.days - 1,), (None, None), 0.0)]

    def options(self, origin: str, destination: str, day: int) -> list[Service]:
        """Ways from one city to another on a day; home counts as the end where it is the departure city."""
        key = (origin, destination, day)
        if key not in self._services:
            home = destination == self._brief.departure_city and day == self._brief.days - 1
            self._services[key] = _ways(
                self._brief, self._knowledge, self._tastes, origin, destination, day, home
            )
        return self._services[key]

    def stops(self, order: Sequence[str]) -> tuple[str, ...]:
        """The cities in order with the departure city at both ends."""
        return (self._brief.departure_city, *order, self._brief.departure_city)

    def _of(self, order: tuple[str, ...]) -> Iterator[Skeleton]:
        for nights in _allocations(self._brief.days - 1, len(order)):
            drafts = (self._draft(order, nights, thrift) for thrift in _THRIFT)
            frames = [draft for draft in drafts if draft is not None]
            if frames:
                yield max(frames, key=lambda frame: frame.worth)

    def _draft(self, order: tuple[str, ...], nights: tuple[int, ...], thrift: float) -> Skeleton | None:
        stops, days = self.stops(order), leg_days(nights)
        rides: list[Service | None] = []
        for index, day in enumerate(days):
            origin, destination = stops[index], stops[index + 1]
            if not origin or not destination or origin == destination:
                rides.append(None)
                continue
            ready = _ready(rides, days, index)
            ranked = self._ranked_services(origin, destination, day, thrift)
            chosen = next((service for service in ranked if service.depart >= ready), None)
            if chosen is None:
                return None
            rides.append(chosen)
        return Skeleton(order, nights, tuple(rides), self._worth(order, nights, rides))

    def _ranked_services(self, origin: str, destination: str, day: int, thrift: float) -> list[Service]:
        key = (origin, destination, day, thrift)
        if key not in self._best:
            possible = self.options(origin, destination, day)
            worth = {s: self._leg_worth(s, origin, destination, thrift) for s in possible}
            self._best[key] = sorted(possible, key=lambda s: -worth[s])
        return self._best[key]

    def _leg_worth(self, ride: Service, origin: str, destination: str, thrift: float) -> float:
        points = sum(taste.ride_points(ride.mode) for taste in self._tastes) / len(self._tastes)
        hours = self._rate(destination) * max(
            0.0, _DAY[1] - max(_DAY[0], ride.arrive / 60) - 24 * ride.day_offset
        )
        hours += self._rate(origin) * max(0.0, ride.depart / 60 - _DAY[0])
        odd = 0.3 * (ride.mode == DRIVE) + EARLY * max(0, WAKING - ride.depart) / 60 + ride.day_offset
        return points + hours - thrift * ride.price - 0.0002 * ride.price - odd

    def _rate(self, city: str) -> float:
        """Worth of an hour in a city: 0 in the departure city."""
        if city not in self._gains:
            return 0.0
        hours = 10.0 * self._brief.days / max(1, len(self._brief.cities))
        return max(0.04, self._city_worth(city, hours) / hours)

    def _city_worth(self, city: str, hours: float) -> float:
        sights, meals = self._gains[city]
        return _top(sights, hours / _HOURS_A_SIGHT) + _top(meals, hours / _HOURS_A_MEAL)

    def _worth(self, order: Sequence[str], nights: Sequence[int], rides: Sequence[Service | None]) -> float:
        people = len(self._tastes)
        worth = 0.0
        for index, city in enumerate(order):
            worth += self._city_worth(city, _hours(nights[index], rides[index], rides[index + 1]))
        cost = sum(self._nights.get(city, 0.0) * stay for city, stay in zip(order, nights, strict=True))
        cost += self._brief.days * _MEALS_A_DAY_CNY
        for ride in rides:
            if ride is not None:
                worth += sum(taste.ride_points(ride.mode) for taste in self._tastes) / people
                worth -= 0.0002 * ride.price + 0.3 * (ride.mode == DRIVE) + ride.day_offset
                cost += ride.price
        over = sum(0 < taste.budget < cost for taste in self._tastes)
        return worth - 2 * over / people - 0.02 * sum(night == 0 for night in nights)


def _ready(rides: Sequence[Service | None], days: Sequence[int], index: int) -> int:
    """The earliest departure: after an arrival on the same day, some time in the city."""
    before = rides[-1] if rides and days[index - 1] == days[index] else None
    return before.arrive + _CHANGE if before is not None else 0


def _hours(nights: int, there: Service | None, away: Service | None) -> float:
    arrive = min(max(there.arrive / 60 + 1, _DAY[0]), _DAY[1]) if there else _DAY[0]
    leave = min(max(away.depart / 60 - 1.5, _DAY[0]), _DAY[1]) if away else _DAY[1]
    return max(0.0, nights * (_DAY[1] - _DAY[0]) + leave - arrive)


def _top(values: Sequence[float], count: float) -> float:
    """Sum of the first `count` values, the last one in part."""
    whole = int(count)
    part = values[whole] * (count - whole) if whole < len(values) else 0.0
    return sum(values[:whole]) + part


def _gains(spots: Sequence[Spot], people: int) -> tuple[list[float], list[float]]:
    """Mean gains of the sights, with the promises they keep, and of the meals, falling."""
    sights = sorted(
        (max(0.05, promise_worth(s) / people) for s in spots if not s.meal and not s.part), reverse=True
    )
    best = max((s.gain for s in spots if s.meal), default=0) / people
    return sights, [max(0.2, best)] * 40


def _orders(cities: tuple[str, ...], size: int) -> Iterator[tuple[str, ...]]:
    if len(cities) > _ORDERED_IN_FULL:
        return iter((cities[:size],))
    return permutations(cities, size)


def _allocations(nights: int, cities: int) -> Iterator[tuple[int, ...]]:
    """Ways to spread the nights: at least one in each city where there are enough."""
    if nights < cities:
        yield from (split for split in product((0, 1), repeat=cities) if sum(split) == nights)
        return
    for cuts in combinations(range(1, nights), cities - 1):
        ends = (0, *cuts, nights)
        yield tuple(b - a for a, b in pairwise(ends))
