"""All that may stand in a plan, looked up when it is first needed."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.suites.tripbench.planner.items import Eatery, Sight, eateries_of, sights_of
from benchmark.suites.tripbench.planner.lodgings import (
    Lodging,
    Lodgings,
    asks_for_hub,
    lies_well,
    lodgings_of,
)
from benchmark.suites.tripbench.planner.problem import Problem, km_between
from benchmark.suites.tripbench.planner.rides import Ride, rides_of
from benchmark.suites.tripbench.plans.trip import TINY
from benchmark.suites.tripbench.rubrics import attractions
from sandbox.worlds.geo import Point


class Stock:
    """All that may stand in a plan, looked up when it is first needed. nodes: how much was looked at."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.nodes = 0
        self._rides: list[list[Ride]] | None = None
        self._sights: dict[str, list[Sight]] = {}
        self._eateries: dict[str, list[Eatery]] = {}
        self._lodgings: dict[tuple[str, bool], Lodgings] = {}
        self._lodgings_by_hub: dict[Point, tuple[Lodging, ...]] = {}

    @property
    def rides(self) -> list[list[Ride]]:
        """The rides of each leg."""
        if self._rides is None:
            legs = range(len(self.problem.frame.legs))
            self._rides = [rides_of(self.problem, leg) for leg in legs]
            self.nodes += sum(
                len(self.problem.world.services_between(*ends)) for ends in self.problem.frame.legs
            )
        return self._rides

    def sights(self, city: str) -> list[Sight]:
        """The attractions of a city."""
        if city not in self._sights:
            self._sights[city] = sights_of(self.problem, city)
            self.nodes += len(self.problem.world.attractions_in(city))
        return self._sights[city]

    def eateries(self, city: str) -> list[Eatery]:
        """The restaurants of a city."""
        if city not in self._eateries:
            self._eateries[city] = eateries_of(self.problem, city)
            self.nodes += len(self.problem.world.restaurants_in(city))
        return self._eateries[city]

    def lodgings(self, city: str, *, last: bool = False) -> Lodgings:
        """The lodgings of a city. last: for the last night of the trip."""
        last = last and asks_for_hub(self.problem)
        if (city, last) not in self._lodgings:
            hubs: Sequence[Point] | None = None
            if last:
                hubs = [*{ride.service.from_place.point for ride in self.rides[-1]}]
            self._lodgings[city, last] = lodgings_of(self.problem, city, hubs)
            self.nodes += self._lodgings[city, last].steps
        return self._lodgings[city, last]

    def lodgings_near(self, hub: Point) -> tuple[Lodging, ...]:
        """Those of the last night where the last leg starts at this place."""
        found = self.lodgings(self.problem.frame.nights[-1], last=True).options
        if not asks_for_hub(self.problem):
            return found
        if hub not in self._lodgings_by_hub:
            near = (one for one in found if lies_well(self.problem, one.hotel, "last", (hub,)))
            self._lodgings_by_hub[hub] = tuple(near)
        return self._lodgings_by_hub[hub]

    @property
    def cities(self) -> list[str]:
        """The destinations."""
        return [*dict.fromkeys(self.problem.frame.destinations)]

    def sight(self, id_: str) -> Sight | None:
        """The attraction of an id, where it passes alone."""
        return next((each for city in self.cities for each in self.sights(city) if each.id == id_), None)

    def eatery(self, id_: str) -> Eatery | None:
        """The restaurant of an id, where it passes alone."""
        return next((each for city in self.cities for each in self.eateries(city) if each.id == id_), None)

    @property
    def nights(self) -> list[Lodgings]:
        """The lodgings of each night."""
        cities = self.problem.frame.nights
        return [self.lodgings(city, last=number == len(cities) - 1) for number, city in enumerate(cities)]

    @property
    def all_sights(self) -> list[Sight]:
        """Of all destinations, near enough to some hotel: for the return day any will do."""
        own = [sight for city in self.cities for sight in self.sights(city)]
        limits = [each.km for each in self.problem.of(attractions.Distance) if each.of == "hotel"]
        if not limits:
            return own
        points = {hotel.point for city in self.cities for hotel in self.problem.world.hotels_in(city)}
        limit = min(limits) + TINY
        return [sight for sight in own if any(km_between(point, sight.point) <= limit for point in points)]

    @property
    def all_eateries(self) -> list[Eatery]:
        """Of all destinations."""
        return [eatery for city in self.cities for eatery in self.eateries(city)]
