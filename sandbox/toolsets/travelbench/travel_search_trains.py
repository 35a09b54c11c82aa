"""travel_search_trains: trains between two cities on some days."""

from __future__ import annotations

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.travelbench.places import Nothing
from sandbox.toolsets.travelbench.trips import TripArguments, city_named, days_of
from sandbox.worlds import World
from sandbox.worlds.records import Service


class Seat(Result):
    """A class of seats. price: CNY a head."""

    name: str
    price: float


class Train(Result):
    """A train. fares: by class, the cheapest first. day_offset: midnights before arrival."""

    number: str
    direct: bool
    fares: tuple[Seat, ...]
    origin_station: str
    destination_station: str
    depart: str
    arrive: str
    day_offset: int
    duration_minutes: int


class TrainDay(Result):
    """The trains of a day."""

    date: str
    trains: tuple[Train, ...]


class TravelSearchTrainsResult(Result):
    """Day by day."""

    days: tuple[TrainDay, ...]


def run(arguments: TripArguments, world: World, language: Language) -> Result:
    """Direct trains, the same on every day."""
    start, end = city_named(world, arguments.origin), city_named(world, arguments.destination)
    services = world.services(start, end) if start and end and start != end else ()
    trains = tuple(_train(service) for service in services if service.mode != "飞机")
    if not trains:
        return Nothing()
    return TravelSearchTrainsResult(
        days=tuple(TrainDay(date=day, trains=trains) for day in days_of(arguments))
    )


def _train(service: Service) -> Train:
    fares = tuple(Seat(name=fare.name, price=fare.price) for fare in service.classes)
    return Train(
        number=service.number,
        direct=True,
        fares=fares or (Seat(name="二等座" if service.mode == "高铁" else "硬座", price=service.price),),
        origin_station=service.origin_station,
        destination_station=service.destination_station,
        depart=service.depart,
        arrive=service.arrive,
        day_offset=service.day_offset,
        duration_minutes=service.duration_minutes,
    )


TOOL: AnyTool = Tool(
    "travel_search_trains",
    Says("查询两地之间的火车，可连查多天", "Trains between two places, on one day or several"),
    TripArguments,
    TravelSearchTrainsResult,
    run,
)
