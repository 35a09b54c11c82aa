"""travel_search_trains: direct trains between two cities."""

from __future__ import annotations

from typing import Annotated, Literal

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import Clock, Date
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

TrainFilter = Literal["high_speed", "high_speed_and_emu", "regular"]

_HIGH_SPEED_TYPES = ("高铁", "城际")


class TravelSearchTrainsArguments(Arguments):
    origin: Annotated[str, Says("出发城市", "City of departure")]
    destination: Annotated[str, Says("到达城市", "City of arrival")]
    date: Annotated[Date, Says("出发日期 YYYY-MM-DD", "Date of departure, YYYY-MM-DD")]
    depart_time_start: Annotated[Clock | None, Says("最早出发时间 HH:MM", "Earliest departure, HH:MM")] = None
    depart_time_end: Annotated[Clock | None, Says("最晚出发时间 HH:MM", "Latest departure, HH:MM")] = None
    sort_by: Annotated[
        Literal["depart_time", "depart_time_desc", "duration", "price"] | None,
        Says("排序，默认按出发时间", "Order, by default the time of departure"),
    ] = None
    train_type_filter: Annotated[
        TrainFilter | None,
        Says(
            "车型：high_speed 高铁城际，high_speed_and_emu 另含动车，regular 普速",
            "high_speed: G and C trains; high_speed_and_emu: D trains too; regular: all others",
        ),
    ] = None


class TrainStop(Result):
    """A stop on the way, with local times."""

    station: str
    arrive: str
    depart: str


class Train(Result):
    """A direct train; `day_offset` counts midnights before arrival, `price` is CNY, second class or hard seat.

    classes: all seat classes with their prices, empty where the source does not say. stops: those on the way, empty
    for a train without any, None where the source does not say.
    """

    number: str
    type: str
    mode: str
    from_station: str
    to_station: str
    depart: str
    arrive: str
    day_offset: int
    duration_minutes: int
    price: float
    classes: tuple[ClassPrice, ...] = ()
    stops: tuple[TrainStop, ...] | None = None


class TravelSearchTrainsResult(Result):
    """All direct trains that pass the filters."""

    origin: str
    destination: str
    date: str
    trains: tuple[Train, ...]
    note: str


def run(arguments: TravelSearchTrainsArguments, world: World, language: Language) -> TravelSearchTrainsResult:
    """Trains of that day, which are those of any day."""
    start, end = city_pair(world, arguments.origin, arguments.destination)
    window = Window(arguments.depart_time_start, arguments.depart_time_end)
    check_window(window)
    every = [service for service in world.services(start.name, end.name) if service.mode != "飞机"]
    kept = [service for service in window.keep(every) if passes(service, arguments.train_type_filter)]
    kept = sort_services(kept, arguments.sort_by or "depart_time")
    return TravelSearchTrainsResult(
        origin=start.name,
        destination=end.name,
        date=arguments.date,
        trains=tuple(_train(service, language) for service in kept),
        note=services_note(kept, len(every), Says("火车", "trains"), language),
    )


def passes(service: Service, train_filter: TrainFilter | None) -> bool:
    """Whether a train is of the type asked for."""
    match train_filter:
        case "high_speed":
            return service.type in _HIGH_SPEED_TYPES or service.number.startswith(("G", "C"))
        case "high_speed_and_emu":
            return service.mode == "高铁"
        case "regular":
            return service.mode == "火车"
        case None:
            return True


def _stops(service: Service) -> tuple[TrainStop, ...] | None:
    if service.calls is None:
        return None
    return tuple(
        TrainStop(station=call.station, arrive=call.arrive, depart=call.depart) for call in service.calls
    )


def _train(service: Service, language: Language) -> Train:
    return Train(
        type=service.type,
        from_station=service.origin_station,
        to_station=service.destination_station,
        **service_fields(service, language),
        stops=_stops(service),
    )


TOOL = Tool(
    "travel_search_trains",
    Says(
        "查询两城市之间的直达火车（高铁、动车、普速）：时刻、经停站、各席别票价",
        "Direct trains between two cities: times, stops, price by seat class",
    ),
    TravelSearchTrainsArguments,
    TravelSearchTrainsResult,
    run,
    PartialTrip,
)
