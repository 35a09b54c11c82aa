"""What a trip may be made of: the places of its destinations, the services of its legs, and their products."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import Final, TypeVar

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.plans.parameters import Parameters
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

ATTRACTION, HOTEL, RESTAURANT, TRANSPORT, GENERAL = (
    *("attraction", "hotel", "restaurant", "transport"),
    "general",
)
DOMAINS: Final = (ATTRACTION, HOTEL, RESTAURANT, TRANSPORT)
PLACES: Final = (ATTRACTION, HOTEL, RESTAURANT)
Choice = tuple[str, str]
"""The ids of an item and of a product that is bought of it; "" for none."""
P = TypeVar("P", bound=Product)
_MEALS_A_DAY: Final = 2
_SIGHTS_A_DAY: Final = 2


@dataclass(frozen=True)
class Candidates:
    """All that a plan of a frame may name."""

    world: TripWorld
    frame: Frame
    parameters: Parameters = field(default_factory=Parameters)

    @property
    def people(self) -> int:
        """The party."""
        return self.frame.people

    @property
    def days(self) -> int:
        """Days of the trip."""
        return len(self.frame.dates)

    @property
    def _cities(self) -> list[str]:
        return [*dict.fromkeys(self.frame.destinations)]

    @cached_property
    def attractions(self) -> list[Attraction]:
        """Those of the destinations."""
        return [place for city in self._cities for place in self.world.attractions_in(city)]

    @cached_property
    def rooms(self) -> list[tuple[Hotel, Room]]:
        """Hotels of the destinations, each with each of its rooms that holds somebody."""
        hotels = [place for city in self._cities for place in self.world.hotels_in(city)]
        return [(hotel, room) for hotel in hotels for room in hotel.products if room.occupancy > 0]

    @cached_property
    def meals(self) -> list[tuple[Restaurant, Menu | None]]:
        """Restaurants of the destinations, each with each of its menus; without one where none is for the party."""
        places = [place for city in self._cities for place in self.world.restaurants_in(city)]
        return [(place, menu) for place in places for menu in self._menus(place)]

    def _menus(self, place: Restaurant) -> Iterator[Menu | None]:
        yield from (menu for menu in place.products if menu.people > 0)
        if all(menu.people != self.people for menu in place.products):
            yield None

    @cached_property
    def tickets(self) -> list[tuple[Service, Ticket]]:
        """Services of the legs, each with each of its tickets."""
        return [
            (service, ticket)
            for start, end in dict.fromkeys(self.frame.legs)
            for service in self.world.services_between(start, end)
            for ticket in service.products
        ]

    @cached_property
    def services(self) -> list[Service]:
        """Services of the legs that one can buy tickets for."""
        return [*{service.id: service for service, _ in self.tickets}.values()]

    def services_of(self, leg: int) -> list[Service]:
        """Those of one leg; -1 is the last."""
        ends = self.frame.legs[leg]
        return [service for service in self.services if (service.from_city, service.to_city) == ends]

    @cached_property
    def choices(self) -> Mapping[str, frozenset[Choice]]:
        """All choices by domain."""
        pairs: Mapping[str, Sequence[tuple[object, Product | None]]] = {
            ATTRACTION: [(place, None) for place in self.attractions],
            HOTEL: self.rooms,
            RESTAURANT: self.meals,
            TRANSPORT: self.tickets,
        }
        named = {domain: frozenset(choice_of(*pair) for pair in own) for domain, own in pairs.items()}
        return {**named, GENERAL: frozenset().union(*named.values())}

    # What it costs.

    @cached_property
    def night_costs(self) -> list[list[float]]:
        """For each stay, what a night costs the party in each hotel with the cheapest rooms of one kind, cheapest
        first.
        """
        costs: dict[str, dict[str, float]] = {city: {} for city in self.frame.destinations}
        for hotel, room in self.rooms:
            if room.price is not None:
                cost = room.price * ceil(self.people / room.occupancy)
                own = costs[hotel.city]
                own[hotel.id] = min(cost, own.get(hotel.id, cost))
        return [sorted(costs[city].values()) for city in self.frame.destinations]

    @cached_property
    def fares(self) -> list[list[float]]:
        """For each leg, what the cheapest ticket of each service costs, cheapest first."""
        cheapest: dict[str, float] = {}
        for service, ticket in self.tickets:
            if ticket.price is not None:
                cheapest[service.id] = min(ticket.price, cheapest.get(service.id, ticket.price))
        legs = range(len(self.frame.legs))
        return [sorted(cheapest[own.id] for own in self.services_of(n) if own.id in cheapest) for n in legs]

    def stay_cost(self, share: float) -> float | None:
        """What all nights cost the party where each hotel is at this share of the hotels of its city by price."""
        nights = zip(self.frame.stays, self.night_costs, strict=True)
        costs = [
            None if not costs and count else count * (quantile(costs, share) if costs else 0)
            for (_, count), costs in nights
        ]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def trip_cost(self, share: float) -> float | None:
        """What a whole trip costs the party whose products are at this share of their kind by price."""
        stay = self.stay_cost(share)
        if stay is None or not all(self.fares):
            return None
        meals = sorted(place.avg_price for place, _ in self.meals if place.avg_price is not None)
        sights = sorted(place.price for place in self.attractions if place.price is not None)
        a_day = _MEALS_A_DAY * quantile(meals or [0], share) + _SIGHTS_A_DAY * quantile(sights or [0], share)
        fares = sum(quantile(fares, share) for fares in self.fares)
        return stay + self.people * (fares + self.days * a_day)


def choice_of(item: object, product: Product | None) -> Choice:
    """The ids of both."""
    return (getattr(item, "id", ""), product.id if product is not None else "")


def quantile(values: Sequence[float], share: float) -> float:
    """The one of some sorted values that so large a share of them does not exceed; share from 0 to 1."""
    return values[min(int(share * len(values)), len(values) - 1)]
