"""What the two timetable tools share."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator

from sandbox.tools.errors import BadArgument
from sandbox.tools.language import Language, Says
from sandbox.tools.results import Figure, OrNone, Partial, Text
from sandbox.tools.tool import Result
from sandbox.toolsets.grouptravel.arguments import known_city
from sandbox.worlds import World
from sandbox.worlds.records import City, Service

ServiceSort = Literal["depart_time", "depart_time_desc", "duration", "price"]
_SORTED_BY = {"depart_time_desc": "depart", "duration": "duration_minutes", "price": "price"}
_CLASSES = {
    "二等座": "second class", "一等座": "first class", "商务座": "business class", "硬座": "hard seat",
    "硬卧": "hard sleeper", "软卧": "soft sleeper", "经济舱": "economy class", "公务舱": "business class",
    "头等舱": "first class",
}  # fmt: skip


class ClassPrice(Result):
    """A seat or cabin class that can be booked; `price` is CNY a person."""

    name: str
    price: float


def service_fields(service: Service, language: Language) -> dict[str, Any]:
    """The fields that trains and flights share."""
    return {
        "number": service.number,
        "mode": service.mode,
        "depart": service.depart,
        "arrive": service.arrive,
        "day_offset": service.day_offset,
        "duration_minutes": service.duration_minutes,
        "price": service.price,
        "classes": tuple(
            ClassPrice(
                name=Says(fare.name, _CLASSES.get(fare.name, fare.name)).to(language), price=fare.price
            )
            for fare in service.classes
        ),
    }


class PartialFare(Partial):
    """A class with its price."""

    price: Figure = None


class PartialService(Partial):
    """A train or a flight of a list; an empty mode is none."""

    mode: Annotated[Text, BeforeValidator(lambda mode: mode or None)] = None
    depart: Text = None
    arrive: Text = None
    price: Figure = None
    number: Text = None
    day_offset: Figure = None
    duration_minutes: Figure = None
    from_station: Text = None
    to_station: Text = None
    from_airport: Text = None
    to_airport: Text = None
    classes: list[Annotated[PartialFare | None, OrNone]] | None = None


class PartialTrip(Partial):
    """Services between two cities: trains, flights, or both."""

    origin: Text = None
    destination: Text = None
    trains: list[Annotated[PartialService | None, OrNone]] | None = None
    flights: list[Annotated[PartialService | None, OrNone]] | None = None


class Window(NamedTuple):
    """Departures from `start` to `end`, both included; None is open."""

    start: str | None
    end: str | None

    def keep(self, services: Iterable[Service]) -> list[Service]:
        """Those that leave within it."""
        start, end = self.start or "00:00", self.end or "24:00"
        return [service for service in services if start <= service.depart <= end]


def city_pair(world: World, origin: str, destination: str) -> tuple[City, City]:
    """Two different cities of the world.

    Raises:
        BadArgument: one is unknown, or both are the same.
    """
    start, end = known_city(world, "origin", origin), known_city(world, "destination", destination)
    check_ends(same=start == end)
    return start, end


def check_ends(*, same: bool) -> None:
    """
    Raises:
        BadArgument: both cities are the same.
    """
    if same:
        raise BadArgument("destination", Says("不能与 origin 相同", "must differ from origin"))


def check_window(window: Window) -> None:
    """
    Raises:
        BadArgument: it ends before it starts.
    """
    if window.start and window.end and window.start > window.end:
        raise BadArgument(
            "depart_time_start", Says("不能晚于 depart_time_end", "must not be later than depart_time_end")
        )


def sort_services(services: list[Service], sort: ServiceSort) -> list[Service]:
    """Sorted; ties by time of departure, then number."""
    services = sorted(services, key=lambda service: (service.depart, service.number))
    if sort in _SORTED_BY:
        services.sort(key=attrgetter(_SORTED_BY[sort]), reverse=sort == "depart_time_desc")
    return services


def services_note(shown: list[Service], before_filters: int, what: Says, language: Language) -> str:
    """How much to trust what is shown, or why nothing is."""
    if shown:
        generated = any(service.generated for service in shown)
        trust = Says(
            "示意时刻表（按规律生成），每日相同；", "Indicative generated timetable, the same every day; "
        )
        usual = Says("每日时刻相同；", "The same every day; ")
        price = Says("票价为每人（元）", "prices are CNY per person")
        return (trust if generated else usual).to(language) + price.to(language)
    if before_filters:
        return Says(
            f"没有符合筛选条件的{what.zh}；不加筛选共有 {before_filters} 班",
            f"No {what.en} match these filters; without them there are {before_filters}",
        ).to(language)
    return Says(
        f"没有查到两地之间的直达{what.zh}（没有直达班次，或本环境没有资料）",
        f"No direct {what.en} between the two were found; there may be none, or none that this world knows",
    ).to(language)
