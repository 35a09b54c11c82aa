"""Tables of cities, and of what goes between them (section 2.1 of the paper)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Final, NamedTuple, TypeVar

from benchmark.suites.traveleval.world.streets import Streets
from sandbox.worlds.geo import Point

ROOM_SIZES: Final[Mapping[str, int]] = {"单人房": 1, "大床房": 2, "双人房": 2, "家庭房": 3}
"""How many people sleep in a room."""


class Sight(NamedTuple):
    """An attraction. types: as the table has them, such as `{公园;园林}`. opens, closes: H:MM, 24:00 too. price: CNY
    a person. least, most: hours that a visit should last. star: NaN where unknown.
    """

    name: str
    point: Point
    types: str
    opens: str
    closes: str
    price: float
    least: float
    most: float
    star: float

    @property
    def type_names(self) -> tuple[str, ...]:
        """The types without braces; a bad row has an empty one."""
        return _names_in(self.types)


@lru_cache(maxsize=2**12)
def _names_in(types: str) -> tuple[str, ...]:
    return tuple(types.strip("{}").split(";"))


class Tavern(NamedTuple):
    """A restaurant. price: CNY a person. opens, closes: H:MM."""

    name: str
    point: Point
    cuisine: str
    price: float
    opens: str
    closes: str


class Room(NamedTuple):
    """price: CNY a night. stock: how many there are."""

    price: float
    stock: int


class Hotel(NamedTuple):
    """feature: the words of its kind. rooms: by the names of ROOM_SIZES."""

    name: str
    point: Point
    feature: str
    rooms: Mapping[str, Room]


class _RideFields(NamedTuple):
    number: str
    kind: str
    origin: str
    destination: str
    departs: str
    arrives: str
    hours: float
    cost: float


class Ride(_RideFields):
    """A train or flight, every day. kind: 高铁, 动车, 飞机 … origin, destination: stations. departs, arrives: H:MM;
    hours: how long it takes, past midnight too. cost: CNY a person.
    """

    @cached_property
    def departure(self) -> int:
        """Minutes since midnight. Raises ValueError for a bad row."""
        return _minutes_of(self.departs)

    @cached_property
    def arrival(self) -> int:
        """The same of its end."""
        return _minutes_of(self.arrives)


def _minutes_of(time: str) -> int:
    hour, minute = time.split(":")
    return int(hour) * 60 + int(minute)


class MetroLine(NamedTuple):
    """stops: names and where they are."""

    name: str
    stops: tuple[tuple[str, Point], ...]


Row = TypeVar("Row", Sight, Tavern, Hotel)


def _by_name(rows: Sequence[Row]) -> dict[str, Row]:
    """The first of those of a name."""
    return {row.name: row for row in reversed(rows)}


@dataclass(frozen=True)
class City:
    """What a city has, in the order of the tables. points: all that has a name and a place, stations too."""

    name: str
    sights: Sequence[Sight] = ()
    taverns: Sequence[Tavern] = ()
    hotels: Sequence[Hotel] = ()
    points: Mapping[str, Point] = field(default_factory=dict)
    metro: Sequence[MetroLine] = ()

    @cached_property
    def streets(self) -> Streets:
        """Ways by street and metro."""
        return Streets(self.name, [(line.name, line.stops) for line in self.metro])

    @cached_property
    def sight(self) -> Mapping[str, Sight]:
        """Sights by name."""
        return _by_name(self.sights)

    @cached_property
    def tavern(self) -> Mapping[str, Tavern]:
        """Restaurants by name."""
        return _by_name(self.taverns)

    @cached_property
    def hotel(self) -> Mapping[str, Hotel]:
        """Hotels by name."""
        return _by_name(self.hotels)


NO_CITY = City("")


@dataclass(frozen=True)
class Tables:
    """The tables of a world.

    cities: by the name that plans give, 杭州. other_names: in small letters, such as hangzhou. trains: by the names
    of two cities. flights: all of them, in order.
    """

    cities: Mapping[str, City]
    trains: Mapping[tuple[str, str], Sequence[Ride]]
    flights: Sequence[Ride]
    other_names: Mapping[str, str] = field(default_factory=dict)

    def city(self, name: str) -> City:
        """The tables of a city; empty ones where there is none of this name."""
        return self.cities.get(self.other_names.get(name.lower(), name), NO_CITY)

    def trains_between(self, departure: object, destination: object) -> list[Ride]:
        """Those there, then those back; none unless both are listed."""
        if not isinstance(departure, str) or not isinstance(destination, str):
            return []
        there, back = self.trains.get((departure, destination)), self.trains.get((destination, departure))
        return [] if there is None or back is None else [*there, *back]

    def flights_between(self, departure: object, destination: object) -> list[Ride]:
        """Those whose airports begin with the two names, either way, in order; "" begins all."""
        if not isinstance(departure, str) or not isinstance(destination, str):
            return []
        if (departure, destination) in self._flights:
            return self._flights[departure, destination]
        return list(self._joining(departure, destination))

    def rides(self, start: str, target: str) -> list[Ride]:
        """The trains and flights from one city to another; stations may have other names than their city."""
        flights = (ride for ride in self.flights_between(start, target) if ride.origin.startswith(start))
        return [*self.trains.get((start, target), ()), *flights]

    @cached_property
    def _flights(self) -> dict[tuple[str, str], list[Ride]]:
        """Those between two cities of the world, which plans ask for again and again."""
        return {pair: list(self._joining(*pair)) for pair in permutations(self.cities, 2)}

    def _joining(self, one: str, other: str) -> Iterator[Ride]:
        for ride in self.flights:
            there = ride.origin.startswith(one) and ride.destination.startswith(other)
            if there or (ride.origin.startswith(other) and ride.destination.startswith(one)):
                yield ride
