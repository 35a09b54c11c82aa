"""travel_search_flights: flights between two cities on some days."""

from __future__ import annotations

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.travelbench.places import Nothing
from sandbox.toolsets.travelbench.trips import TripArguments, city_named, days_of
from sandbox.worlds import World
from sandbox.worlds.records import Service


class Cabin(Result):
    """A cabin class. price: CNY a head."""

    name: str
    price: float


class Flight(Result):
    """A flight. day_offset: midnights before arrival; prices: the cheapest first."""

    number: str
    airline: str
    origin_airport: str
    destination_airport: str
    depart: str
    arrive: str
    day_offset: int
    duration_minutes: int
    aircraft: str
    direct: bool
    prices: tuple[Cabin, ...]


class FlightDay(Result):
    """The flights of a day."""

    date: str
    flights: tuple[Flight, ...]


class TravelSearchFlightsResult(Result):
    """Day by day."""

    days: tuple[FlightDay, ...]


def run(arguments: TripArguments, world: World, language: Language) -> Result:
    """Direct flights, the same on every day; a world knows no changes of planes."""
    start, end = city_named(world, arguments.origin), city_named(world, arguments.destination)
    services = world.services(start, end, "飞机") if start and end and start != end else ()
    flights = tuple(map(_flight, services))
    if not flights:
        return Nothing()
    days = tuple(FlightDay(date=day, flights=flights) for day in days_of(arguments))
    return TravelSearchFlightsResult(days=days)


def _flight(service: Service) -> Flight:
    prices = tuple(Cabin(name=fare.name, price=fare.price) for fare in service.classes)
    return Flight(
        number=service.number,
        airline=service.operator,
        origin_airport=service.origin_station,
        destination_airport=service.destination_station,
        depart=service.depart,
        arrive=service.arrive,
        day_offset=service.day_offset,
        duration_minutes=service.duration_minutes,
        aircraft=service.aircraft,
        direct=True,
        prices=prices or (Cabin(name="经济舱", price=service.price),),
    )


TOOL: AnyTool = Tool(
    "travel_search_flights",
    Says("查询两地之间的航班，可连查多天", "Flights between two places, on one day or several"),
    TripArguments,
    TravelSearchFlightsResult,
    run,
)
