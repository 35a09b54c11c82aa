"""intercity_transport: trains by pair of cities, flights in one file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sandbox.worlds.china10.fields import DAY, SHORT, Gaps, clock, minute, number, text
from sandbox.worlds.china10.knowledge import Knowledge, SourceCity
from sandbox.worlds.china10.reading import Problems, Row
from sandbox.worlds.records import Mode, Service

FLIGHTS = "intercity_transport/airplane.jsonl"
TRAINS = "intercity_transport/train"
_PAIR = re.compile(r"from_(.+)_to_(.+)\.json")
_HIGH_SPEED = frozenset(("高铁", "动车", "城际"))
_ORDINARY = frozenset(("直达", "特快", "快速", "普快"))
_TRUST_CLOCK_MINUTES = 90
"""Where clock and duration differ by more, the duration is right (a mistyped arrival)."""


def file_of(origin: SourceCity, destination: SourceCity) -> str:
    """The name of the file of the trains from one city to another."""
    return f"from_{origin.alias}_to_{destination.alias}.json"


def pair_of(file: str, knowledge: Knowledge) -> tuple[SourceCity, SourceCity]:
    """The cities that the name of a train file tells. Raises ValueError for an unknown one."""
    match = _PAIR.fullmatch(file.rpartition("/")[2])
    if match is None or not set(match.groups()) <= set(knowledge.by_alias):
        raise ValueError("the file's name is not from_A_to_B.json of two known cities")
    return knowledge.by_alias[match[1]], knowledge.by_alias[match[2]]


def read_trains(
    rows: Iterable[Row], pair: tuple[SourceCity, SourceCity], problems: Problems, gaps: Gaps
) -> list[Service]:
    """Trains between two cities, each once; see `_times` for arrivals on a later day."""
    return _once(
        (made for _, made in problems.convert(rows, lambda row: _train(row.values, pair, gaps))), gaps
    )


def read_flights(rows: Iterable[Row], knowledge: Knowledge, problems: Problems, gaps: Gaps) -> list[Service]:
    """Flights, each once; an airport belongs to the city whose name begins its own."""
    return _once(
        (made for _, made in problems.convert(rows, lambda row: _flight(row.values, knowledge, gaps))), gaps
    )


def _train(values: dict[str, Any], pair: tuple[SourceCity, SourceCity], gaps: Gaps) -> Service:
    kind = text(values["TrainType"], "TrainType")
    return Service(
        number=text(values["TrainID"], "name (TrainID)"),
        mode=_mode(kind),
        type=kind,
        origin_city=pair[0].name,
        destination_city=pair[1].name,
        origin_station=_station(values["From"], "From", pair[0]),
        destination_station=_station(values["To"], "To", pair[1]),
        price=number(values["Cost"], "Cost"),
        **_times(values, gaps),
    )


def _flight(values: dict[str, Any], knowledge: Knowledge, gaps: Gaps) -> Service:
    flight = text(values["FlightID"], "name (FlightID)")
    origin, destination = text(values["From"], "From"), text(values["To"], "To")
    return Service(
        number=flight,
        mode="飞机",
        type="航班",
        origin_city=knowledge.city_of_station(origin).name,
        destination_city=knowledge.city_of_station(destination).name,
        origin_station=origin,
        destination_station=destination,
        price=number(values["Cost"], "Cost"),
        operator=knowledge.carriers.get(flight[:2], ""),
        **_times(values, gaps),
    )


def _mode(kind: str) -> Mode:
    if kind in _HIGH_SPEED:
        return "高铁"
    if kind in _ORDINARY:
        return "火车"
    raise ValueError(f"unknown TrainType {SHORT.repr(kind)}")


def _station(value: Any, field: str, city: SourceCity) -> str:
    name = text(value, field)
    if not name.startswith(city.alias):
        raise ValueError(f"{name} lies elsewhere: it is no station of {city.name}")
    return name


def _times(values: dict[str, Any], gaps: Gaps) -> dict[str, Any]:
    """Departure, arrival, day of arrival and minutes.

    The source has clock times and a duration in hours, rounded, from which the day of arrival follows; minutes are
    then taken from the clock, unless the two are more than `_TRUST_CLOCK_MINUTES` apart.
    """
    depart, arrive = (
        minute(values["BeginTime"], "BeginTime") % DAY,
        minute(values["EndTime"], "EndTime") % DAY,
    )
    duration = number(values["Duration"], "Duration") * 60
    days = max(0, round((duration - (arrive - depart)) / DAY))
    minutes = arrive - depart + days * DAY
    if minutes <= 0 or abs(minutes - duration) > _TRUST_CLOCK_MINUTES:
        gaps["arrivals_from_duration"] += 1
        minutes = round(duration)
        days, arrive = divmod(depart + minutes, DAY)
    gaps["arrivals_on_a_later_day"] += days > 0
    return {"depart": clock(depart), "arrive": clock(arrive), "day_offset": days, "duration_minutes": minutes}


def _once(services: Iterable[Service], gaps: Gaps) -> list[Service]:
    """The first of those that share number, stations and departure."""
    kept: dict[tuple[str, str, str, str], Service] = {}
    for service in services:
        key = (service.number, service.origin_station, service.destination_station, service.depart)
        gaps["services_listed_again"] += key in kept
        kept.setdefault(key, service)
    return list(kept.values())
