"""Flights and trains: searches, and details with tickets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Tool
from sandbox.toolsets.tripbench.arguments import OrderArguments, Period, TripArguments, TripDate, split_names
from sandbox.toolsets.tripbench.records import Service, Ticket
from sandbox.toolsets.tripbench.searching import names_fit, sort_hits
from sandbox.toolsets.tripbench.texts import Text, clock, decimal, join_fields, whole, write_page
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World

_PERIODS: dict[Period, tuple[str, str]] = {
    "early morning": ("00:00", "06:00"),
    "morning": ("06:00", "12:00"),
    "afternoon": ("12:00", "18:00"),
    "evening": ("18:00", "24:00"),
}
"""Half open."""
_PERIOD = Says(
    "时段：early morning 0–6 点、morning 6–12、afternoon 12–18、evening 18–24",
    "early morning (0 to 6), morning (6 to 12), afternoon (12 to 18), evening (18 to 24)",
)


class _EndsArguments(TripArguments):
    departure_city: Annotated[str, Says("出发城市", "City of departure")]
    arrival_city: Annotated[str, Says("到达城市", "City of arrival")]
    date_str: TripDate
    dep_period: Annotated[Period | None, _PERIOD] = None
    arr_period: Annotated[Period | None, _PERIOD] = None


class SearchServicesArguments(OrderArguments, _EndsArguments):
    """Every service runs every day."""

    sort_key: Annotated[
        Literal["time", "price"] | None,
        Says("排序：出发时间或最低价，缺省为时间", "Departure or lowest price; the time"),
    ] = None


class _TicketArguments(TripArguments):
    source_platform: Annotated[str | None, Says("售票平台", "Platform that sells the ticket")] = None
    seat_type: Annotated[str | None, Says("座位类型", "Class of the seat")] = None


class FlightArguments(_TicketArguments):
    """A flight on a day."""

    flight_id: Annotated[str, Says("航班编号", "Id of the flight")]
    date_str: TripDate


class TrainArguments(_TicketArguments):
    """A train on a day."""

    train_id: Annotated[str, Says("车次编号", "Id of the train")]
    date_str: TripDate


def _search(kind: str) -> Callable[[SearchServicesArguments, World, Language], Text]:
    def search(arguments: SearchServicesArguments, pack: World, language: Language) -> Text:
        start, end = pack.city(arguments.departure_city), pack.city(arguments.arrival_city)
        nothing = f"No matching {kind}s found."
        if start is None or end is None:
            return Text(text=nothing)
        services = [
            service
            for service in trip_world(pack).services_between(start.name, end.name)
            if service.kind == kind
            and _is_in(service.depart, arguments.dep_period)
            and _is_in(service.arrive, arguments.arr_period)
        ]
        key = arguments.sort_key or "time"
        figure = _cheapest if key == "price" else _departure
        hits = sort_hits(services, figure, arguments.goes_up(key))
        return write_page([_hit_line(service) for service in hits], arguments, nothing)

    return search


def _is_in(time: str, period: Period | None) -> bool:
    return period is None or _PERIODS[period][0] <= time < _PERIODS[period][1]


def _departure(service: Service) -> str:
    return service.depart


def _cheapest(service: Service) -> float | None:
    return min((ticket.price for ticket in service.products if ticket.price is not None), default=None)


def _hit_line(service: Service) -> str:
    return f"{_head(service)} | minimum price: {decimal(_cheapest(service))}"


def _head(service: Service) -> str:
    days = f" (+{service.day_offset})" if service.day_offset else ""
    return join_fields(
        f"{service.kind.title()}_id: {service.id}",
        service.number,
        *([f"airline: {service.airline}"] if service.is_flight else []),
        f"{clock(service.depart)}-{clock(service.arrive)}{days}",
        f"{service.from_place.name} → {service.to_place.name}",
    )


def _tell_flight(arguments: FlightArguments, pack: World, language: Language) -> Text:
    return _tell(arguments, arguments.flight_id, "flight", pack)


def _tell_train(arguments: TrainArguments, pack: World, language: Language) -> Text:
    return _tell(arguments, arguments.train_id, "train", pack)


def _tell(arguments: _TicketArguments, id_: str, kind: str, pack: World) -> Text:
    service = trip_world(pack).services_by_id.get(id_)
    if service is None or service.kind != kind:
        return Text(text=f"No {kind} found for the given {kind}_id: {id_}.")
    told = _head(service)
    if service.is_flight:
        delay = whole(service.avg_delay)
        told = join_fields(
            told, f"on-time rate: {decimal(service.ontime_rate)}", f"average delay: {delay} min"
        )
    tickets = [_ticket_line(ticket) for ticket in service.products if _ticket_fits(ticket, arguments)]
    return Text(text="\n".join((told, *(tickets or ["No matching tickets found."]))))


def _ticket_fits(ticket: Ticket, arguments: _TicketArguments) -> bool:
    return names_fit(split_names(arguments.source_platform), [ticket.platform]) and names_fit(
        split_names(arguments.seat_type), [ticket.seat_type]
    )


def _ticket_line(ticket: Ticket) -> str:
    return join_fields(
        f"product_id: {ticket.id}",
        f"seat_type: {ticket.seat_type}",
        f"platform: {ticket.platform}",
        f"price: {decimal(ticket.price)}",
    )


SEARCH_FLIGHTS: AnyTool = Tool(
    "search_flights",
    Says("查询某日两城之间的航班", "Flights between two cities on a day"),
    SearchServicesArguments,
    Text,
    _search("flight"),
)
SEARCH_TRAINS: AnyTool = Tool(
    "search_trains",
    Says("查询某日两城之间的火车", "Trains between two cities on a day"),
    SearchServicesArguments,
    Text,
    _search("train"),
)
FLIGHT_DETAIL: AnyTool = Tool(
    "get_flight_detail_with_products",
    Says("航班详情、准点率与在售机票", "A flight, how punctual it is, and its tickets"),
    FlightArguments,
    Text,
    _tell_flight,
)
TRAIN_DETAIL: AnyTool = Tool(
    "get_train_detail_with_products",
    Says("车次详情与在售车票", "A train, and its tickets"),
    TrainArguments,
    Text,
    _tell_train,
)
