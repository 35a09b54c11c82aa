"""What it costs and takes to get from city to city in a world, and which ways there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES
from benchmark.suites.grouptravel.synthesis.cities import Town, town_of
from sandbox.worlds import World
from sandbox.worlds.records import Service

DRIVE = "自驾"
_DETOUR, _KMH, _CNY_PER_KM, _SEATS = 1.3, 80.0, 1.1, 4
"""A drive is reckoned: the straight line and a third, fuel and toll of a car shared by four."""


_EARLIEST, _LATEST = "06:00", "22:30"
_LONGEST = 8 * 60
"""A journey by day leaves and arrives between these, and takes no longer."""


class Offer(NamedTuple):
    """The best of one mode on a leg.

    price: CNY a person, the lowest fare. minutes: the shortest time. by_day: the lowest fare for which nobody travels
    overnight, None where there is none.
    """

    price: float
    minutes: int
    by_day: float | None = None


Leg = tuple[str, str]


class Route(NamedTuple):
    """The legs of a trip, out, on and back, with what each mode offers on them."""

    legs: tuple[Leg, ...]
    offers: tuple[Mapping[str, Offer], ...]

    def goes_all_the_way(self, mode: str) -> bool:
        """Whether every leg can be travelled that way."""
        return all(mode in offers for offers in self.offers)

    def goes_part_of_the_way(self, mode: str) -> bool:
        """Whether some leg can."""
        return any(mode in offers for offers in self.offers)

    def lacking(self, mode: str) -> list[Leg]:
        """The legs on which nothing of the mode runs."""
        return [leg for leg, offers in zip(self.legs, self.offers, strict=True) if mode not in offers]

    def lowest(self) -> float:
        """CNY a person for all legs, each by its cheapest way: the round-trip minimum."""
        return sum(min(offer.price for offer in offers.values()) for offers in self.offers)

    def by_day(self) -> float:
        """CNY a person for all legs, each by its cheapest way by day."""
        return sum(
            min(
                [offer.by_day for offer in offers.values() if offer.by_day is not None]
                or [min(offers.values(), key=lambda offer: offer.minutes).price]
            )
            for offers in self.offers
        )

    def price(self, mode: str) -> float:
        """CNY a person for all legs by that mode, where it runs, else by the cheapest of a day."""
        return sum(
            (offers[mode].by_day or offers[mode].price)
            if mode in offers
            else Route((leg,), (offers,)).by_day()
            for leg, offers in zip(self.legs, self.offers, strict=True)
        )


class Fares:
    """The ways between the cities of a world. Legs are looked up once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._towns = {city.name: town_of(city) for city in world.cities()}
        self._offers: dict[Leg, Mapping[str, Offer]] = {}

    def offers(self, origin: str, destination: str) -> Mapping[str, Offer]:
        """By mode, in the fixed order of modes; empty where one can't get there at all."""
        leg = (origin, destination)
        if leg not in self._offers:
            self._offers[leg] = dict(self._find_offers(origin, destination))
        return self._offers[leg]

    def serves(self, origin: str, destination: str) -> bool:
        """Whether a train or flight runs that way."""
        return any(mode != DRIVE for mode in self.offers(origin, destination))

    def route(self, departure: str, cities: Sequence[str]) -> Route:
        """From home through the cities in their order and back."""
        legs = tuple(pairwise((departure, *cities, departure)))
        return Route(legs, tuple(self.offers(*leg) for leg in legs))

    def _find_offers(self, origin: str, destination: str) -> Iterator[tuple[str, Offer]]:
        services = self._world.services(origin, destination)
        for mode in TRANSPORT_MODES:
            running = [service for service in services if service.mode == mode]
            if running:
                price = min(service.price for service in running)
                day = [service.price for service in running if _by_day(service)]
                shortest = min(service.duration_minutes for service in running)
                yield mode, Offer(price, shortest, min(day, default=None))
        if (drive := self._drive(origin, destination)) is not None:
            yield DRIVE, drive

    def _drive(self, origin: str, destination: str) -> Offer | None:
        one, other = self._town(origin), self._town(destination)
        if one is None or other is None or not one.over_land(other):
            return None
        km = one.km(other) * _DETOUR
        price, minutes = round(km * _CNY_PER_KM / _SEATS, 1), round(km / _KMH * 60)
        return Offer(price, minutes, price if minutes <= _LONGEST else None)

    def _town(self, name: str) -> Town | None:
        return self._towns.get(name)


def _by_day(service: Service) -> bool:
    within = service.day_offset == 0 and service.depart >= _EARLIEST and service.arrive <= _LATEST
    return within and service.duration_minutes <= _LONGEST
