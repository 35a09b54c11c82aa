"""The frame of a trip: order of the cities, nights in each, and the services between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning import legs
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Service
from benchmark.suites.grouptravel.agent.planning.score import promised
from benchmark.suites.grouptravel.agent.planning.spots import Spot
from benchmark.suites.grouptravel.agent.planning.tastes import Taste

_THRIFT = (0.0, 0.002, 0.01)
"""Worth of a CNY when a leg is chosen; each is tried, the budgets decide."""
_DAY = (9.0, 21.0)
_HOURS_A_SIGHT, _HOURS_A_MEAL = 3.4, 6.0
_MEALS_A_DAY_CNY = 130.0
_CHANGE = 90
_ORDERED_IN_FULL = 4


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
        self._brief, self._known, self._tastes = brief, known, tastes
        self._nights = night_cost
        self._gains = {city: _gains(found, len(tastes)) for city, found in spots.items()}
        self._found: dict[tuple[str, str, int], list[Service]] = {}
        self._best: dict[tuple[str, str, int, float], list[Service]] = {}

    def best(self, count: int) -> list[Skeleton]:
        """The best few, best first; never empty (cities are left out where time is too short for all)."""
        cities = self._brief.cities
        for size in range(len(cities), 0, -1):
            found = [frame for order in _orders(cities, size) for frame in self._of(order)]
            if found:
                return sorted(found, key=lambda frame: -frame.worth)[:count]
        return [Skeleton(cities[:1], (self._brief.days - 1,), (None, None), 0.0)]

    def options(self, origin: str, destination: str, day: int) -> list[Service]:
        """Ways from one city to another on a day; home counts as the end where it is the departure city."""
        key = (origin, destination, day)
        if key not in self._found:
            home = destination == self._brief.departure_city and day == self._brief.days - 1
            self._found[key] = legs.options(
                self._brief, self._known, self._tastes, origin, destination, day, home
            )
        return self._found[key]

    def stops(self, order: Sequence[str]) -> tuple[str, ...]:
        """The cities in order with the departure city at both ends."""
        return (self._brief.departure_city, *order, self._brief.departure_city)

    def _of(self, order: tuple[str, ...]) -> Iterator[Skeleton]:
        for nights in _allocations(self._brief.days - 1, len(order)):
            drafts = (self._draft(order, nights, thrift) for thrift in _THRIFT)
            found = [draft for draft in drafts if draft is not None]
            if found:
                yield max(found, key=lambda frame: frame.worth)

    def _draft(self, order: tuple[str, ...], nights: tuple[int, ...], thrift: float) -> Skeleton | None:
        stops, days = self.stops(order), leg_days(nights)
        rides: list[Service | None] = []
        for index, day in enumerate(days):
            origin, destination = stops[index], stops[index + 1]
            if not origin or not destination or origin == destination:
                rides.append(None)
                continue
            ready = _ready(rides, days, index)
            ranked = self._ranked(origin, destination, day, thrift)
            chosen = next((service for service in ranked if service.depart >= ready), None)
            if chosen is None:
                return None
            rides.append(chosen)
        return Skeleton(order, nights, tuple(rides), self._worth(order, nights, rides))

    def _ranked(self, origin: str, destination: str, day: int, thrift: float) -> list[Service]:
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
        odd = (
            0.3 * (ride.mode == legs.DRIVE)
            + legs.EARLY * max(0, legs.WAKING - ride.depart) / 60
            + ride.day_offset
        )
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
                worth -= 0.0002 * ride.price + 0.3 * (ride.mode == legs.DRIVE) + ride.day_offset
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
        (max(0.05, promised(s) / people) for s in spots if not s.meal and not s.part), reverse=True
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
