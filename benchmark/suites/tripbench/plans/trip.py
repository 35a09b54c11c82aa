"""A plan of the right form in its world: its items, and where the travellers are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from benchmark.plans.clock import minutes
from benchmark.plans.hours import DAY
from benchmark.plans.view import Mark
from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.plans.schema import (
    ATTRACTION,
    CHECK_IN,
    HOTEL,
    LEG,
    LOCAL,
    RESTAURANT,
    Activity,
    Day,
    Purchase,
    Stay,
    TripPlan,
)
from sandbox.toolsets.tripbench.estimates import way_minutes
from sandbox.toolsets.tripbench.records import (
    Attraction,
    Hotel,
    Menu,
    Product,
    Restaurant,
    Room,
    Service,
    Ticket,
    TripWorld,
)
from sandbox.worlds.geo import Point

TINY = 1e-9
"""By which figures may differ that count as equal."""


class Visit(NamedTuple):
    """An attraction that is visited."""

    day: Day
    activity: Activity
    place: Attraction

    @property
    def tickets(self) -> int:
        """How many are bought."""
        return sum(bought.number for bought in self.activity.products)


class Meal(NamedTuple):
    """A restaurant where one eats, with the menus that are bought."""

    day: Day
    activity: Activity
    place: Restaurant
    menus: tuple[tuple[Menu, int], ...]


class Leg(NamedTuple):
    """A flight or a train, with the tickets that are bought."""

    day: Day
    activity: Activity
    service: Service
    tickets: tuple[tuple[Ticket, int], ...]

    @property
    def times(self) -> tuple[int | None, int | None]:
        """When the service departs and arrives, as minutes of a day; it may arrive at 24:00."""
        arrive = self.service.arrive
        return minutes(self.service.depart), DAY if arrive == "24:00" else minutes(arrive)

    @property
    def cost(self) -> float | None:
        """Of all tickets; None where the price of one is not known."""
        return total_price(self.tickets)


class Night(NamedTuple):
    """A night in a hotel, with its rooms."""

    day: Day
    stay: Stay
    hotel: Hotel
    rooms: tuple[tuple[Room, int], ...]

    @property
    def cost(self) -> float | None:
        """Of all rooms; None where the price of one is not known."""
        return total_price(self.rooms)


class Stop(NamedTuple):
    """A place at which the travellers are.

    transfer: minutes of local transport on the way to it, None without any. is_arrival: whether a leg brings to it.
    """

    activity: Activity
    point: Point
    transfer: int | None
    is_arrival: bool = False


def total_price(bought: tuple[tuple[Product, int], ...]) -> float | None:
    """The price of all products; None where one is not known."""
    total = 0.0
    for product, count in bought:
        if product.price is None:
            return None
        total += _cost(product.price, count)
    return total


def _cost(price: float, count: int) -> float:
    """Of so many; infinite where the number is larger than floats are."""
    try:
        return price * count
    except OverflowError:
        return math.inf if price else 0.0


@dataclass(frozen=True)
class Trip:
    """A plan all of whose items exist."""

    plan: TripPlan
    world: TripWorld
    frame: Frame
    parameters: Parameters
    repeatable: frozenset[str] = frozenset()
    """Attractions and restaurants that may be visited more than once."""

    @property
    def people(self) -> int:
        """The party of the task, whatever the plan says."""
        return self.frame.people

    @cached_property
    def visits(self) -> list[Visit]:
        """All attractions in order."""
        places = self.world.attractions_by_id
        return [Visit(day, item, places[item.id]) for day, item in self.plan.of_type(ATTRACTION)]

    @cached_property
    def meals(self) -> list[Meal]:
        """All restaurants in order."""
        places = self.world.restaurants_by_id
        return [
            Meal(day, item, place := places[item.id], _products(place.products, item.products))
            for day, item in self.plan.of_type(RESTAURANT)
        ]

    @property
    def visits_and_meals(self) -> list[Visit | Meal]:
        """Attractions, then restaurants."""
        return [*self.visits, *self.meals]

    @cached_property
    def legs(self) -> list[Leg]:
        """All flights and trains in order."""
        services = self.world.services_by_id
        return [
            Leg(day, item, service := services[item.id], _products(service.products, item.products))
            for day, item in self.plan.of_type(LEG)
        ]

    @cached_property
    def nights(self) -> list[Night]:
        """All nights in a hotel, in order."""
        hotels = self.world.hotels_by_id
        return [
            Night(day, stay, hotel := hotels[stay.id], _products(hotel.products, stay.rooms))
            for day, stay in self.plan.nights
        ]

    def hotel_of(self, day: Day) -> Hotel | None:
        """The hotel of a day."""
        return None if day.stay is None else self.world.hotels_by_id[day.stay.id]

    def hotel_until(self, day: Day) -> Hotel | None:
        """The hotel of a day, else the last one before."""
        hotels = [
            hotel for each in self.plan.days[: day.number + 1] if (hotel := self.hotel_of(each)) is not None
        ]
        return hotels[-1] if hotels else None

    def km(self, a: Point, b: Point) -> float:
        """Kilometres as the crow flies."""
        return great_circle_km(a, b)

    def estimated_minutes(self, km: float) -> int:
        """Of a way (`get_route_estimate`)."""
        return estimate_minutes(km, self.parameters)

    @cached_property
    def days_of_stops(self) -> list[DayOfStops]:
        """Where the travellers are, day by day."""
        return list(_days_of_stops(self))


class DayOfStops(NamedTuple):
    """begins: where one wakes, None if nobody knows. last_transfer: minutes of transport after the last stop."""

    day: Day
    begins: Point | None
    stops: tuple[Stop, ...]
    last_transfer: int | None

    @property
    def ends(self) -> Point | None:
        """Where the last stop is; where the day begins if there is none."""
        return self.stops[-1].point if self.stops else self.begins


def estimate_minutes(km: float, parameters: Parameters) -> int:
    """The estimate of a way of so many kilometres, halves rounded up."""
    return way_minutes(km, parameters.est_base, parameters.est_per_km)


def _days_of_stops(trip: Trip) -> Iterator[DayOfStops]:
    begins: Point | None = None
    for day in trip.plan.days:
        stops: list[Stop] = []
        transfer: int | None = None
        for number, item in enumerate(day.activities):
            if item.type == LOCAL:
                transfer = (transfer or 0) + item.minutes
                continue
            points = _points(trip, day, number)
            for n, point in enumerate(points):
                stops.append(Stop(item, point, None if n else transfer, is_arrival=bool(n)))
            if points:
                transfer = None
        told = DayOfStops(day, begins, tuple(stops), transfer)
        yield told
        hotel = trip.hotel_of(day)
        begins = hotel.point if hotel is not None else told.ends


def _points(trip: Trip, day: Day, number: int) -> list[Point]:
    """Where an activity takes place; a leg at both its ends, and a check-in for a flight at the airport."""
    item = day.activities[number]
    if item.type == ATTRACTION:
        return [trip.world.attractions_by_id[item.id].point]
    if item.type == RESTAURANT:
        return [trip.world.restaurants_by_id[item.id].point]
    if item.type == HOTEL:
        hotel = trip.hotel_of(day)
        return [hotel.point] if hotel is not None else []
    if item.type == CHECK_IN:
        leg = next((later for later in day.activities[number:] if later.type == LEG), None)
        return [trip.world.services_by_id[leg.id].from_place.point] if leg is not None else []
    service = trip.world.services_by_id[item.id]
    return [service.from_place.point, service.to_place.point]


def _products(known: tuple[Product, ...], bought: tuple[Purchase, ...]) -> tuple:  # type: ignore[type-arg]
    by_id: Mapping[str, Product] = {product.id: product for product in known}
    return tuple((by_id[one.id], one.number) for one in bought)


def day_mark(day: Day, key: str, activity: Activity | Stay | None = None, **told: object) -> Mark:
    """A finding about a day, or about something in it."""
    at = ("trip_plan", "daily_schedule", day.number) if activity is None else activity.at
    return Mark(at, key, {"day": day.number + 1, **told})
