"""travel_search_flights: direct flights between two cities."""

from __future__ import annotations

from typing import Annotated, Literal

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import Clock, Date, Words
from sandbox.toolsets.grouptravel.services import (
    ClassPrice,
    PartialTrip,
    Window,
    check_window,
    city_pair,
    service_fields,
    services_note,
    sort_services,
)
from sandbox.worlds import World
from sandbox.worlds.records import Service
from sandbox.worlds.text import normalise


class TravelSearchFlightsArguments(Arguments):
    origin: Annotated[str, Says("出发城市", "City of departure")]
    destination: Annotated[str, Says("到达城市", "City of arrival")]
    date: Annotated[Date, Says("出发日期 YYYY-MM-DD", "Date of departure, YYYY-MM-DD")]
    depart_time_start: Annotated[Clock | None, Says("最早起飞时间 HH:MM", "Earliest departure, HH:MM")] = None
    depart_time_end: Annotated[Clock | None, Says("最晚起飞时间 HH:MM", "Latest departure, HH:MM")] = None
    sort_by: Annotated[
        Literal["depart_time", "price", "duration"] | None,
        Says("排序，默认按起飞时间", "Order, by default the time of departure"),
    ] = None
    airport: Annotated[
        Words | None, Says("限定出发或到达机场（名称的一部分即可）", "Part of the name of either airport")
    ] = None


class Flight(Result):
    """A direct flight; `day_offset` counts midnights before arrival, `price` is CNY in economy class.

    classes: all cabin classes with their prices, aircraft: its type; empty where the source does not say.
    """

    number: str
    operator: str
    mode: str
    from_airport: str
    to_airport: str
    depart: str
    arrive: str
    day_offset: int
    duration_minutes: int
    price: float
    classes: tuple[ClassPrice, ...] = ()
    aircraft: str = ""


class TravelSearchFlightsResult(Result):
    """All direct flights that pass the filters."""

    origin: str
    destination: str
    date: str
    flights: tuple[Flight, ...]
    note: str


def run(
    arguments: TravelSearchFlightsArguments, world: World, language: Language
) -> TravelSearchFlightsResult:
    """Flights of that day, which are those of any day."""
    start, end = city_pair(world, arguments.origin, arguments.destination)
    window = Window(arguments.depart_time_start, arguments.depart_time_end)
    check_window(window)
    every = world.services(start.name, end.name, "飞机")
    kept = [service for service in window.keep(every) if _uses(service, arguments.airport or "")]
    kept = sort_services(kept, arguments.sort_by or "depart_time")
    return TravelSearchFlightsResult(
        origin=start.name,
        destination=end.name,
        date=arguments.date,
        flights=tuple(_flight(service, language) for service in kept),
        note=services_note(kept, len(every), Says("航班", "flights"), language),
    )


def _uses(service: Service, airport: str) -> bool:
    key = normalise(airport)
    stem = key.removesuffix("机场").removesuffix("国际") or key
    return any(stem in normalise(name) for name in (service.origin_station, service.destination_station))


def _flight(service: Service, language: Language) -> Flight:
    return Flight(
        operator=service.operator,
        from_airport=service.origin_station,
        to_airport=service.destination_station,
        **service_fields(service, language),
        aircraft=service.aircraft,
    )


TOOL = Tool(
    "travel_search_flights",
    Says(
        "查询两城市之间的直达航班：时刻、机型、各舱位票价",
        "Direct flights between two cities: times, aircraft, price by cabin class",
    ),
    TravelSearchFlightsArguments,
    TravelSearchFlightsResult,
    run,
    PartialTrip,
)
