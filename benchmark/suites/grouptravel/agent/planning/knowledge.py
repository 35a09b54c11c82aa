"""What the tools have said so far: a fold over the tool log that trusts nothing in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.planning.geography import read_point
from benchmark.suites.grouptravel.agent.planning.hours import minutes
from benchmark.suites.grouptravel.agent.results import as_text, told_by
from sandbox.tools.results import Partial
from sandbox.toolsets.grouptravel.maps_geo import PartialAddress
from sandbox.toolsets.grouptravel.poi import PartialPlace, PartialPlaces
from sandbox.toolsets.grouptravel.routing import PartialRoute
from sandbox.toolsets.grouptravel.search_along_route import PartialAlong
from sandbox.toolsets.grouptravel.services import PartialService, PartialTrip
from sandbox.worlds.geo import Point

CallKey = tuple[str, str]
"""A tool's name and its arguments as JSON with sorted keys."""


@dataclass(frozen=True, slots=True)
class Place:
    """A point of interest as search_poi or get_poi_detail gave it; `hours` only from the latter."""

    id: str
    name: str
    kind: str
    category: str
    city: str
    point: Point | None
    rating: float
    price: float | None
    stay_hours: tuple[float, float] | None
    hours_text: str
    hours: object = None
    detailed: bool = False


@dataclass(frozen=True, slots=True)
class Service:
    """A train, a flight or a drive. Clock times in minutes of the day of departure; price CNY a person."""

    mode: str
    number: str
    origin: str
    destination: str
    depart: int
    arrive: int
    day_offset: int
    duration: int
    price: float


class Drive(NamedTuple):
    """A way by car as plan_route told it; `cost` CNY for the car, None where it told none."""

    kilometres: float
    minutes: float
    cost: float | None


@dataclass
class Knowledge:
    """places by city and id; services by (origin, destination, date), date YYYY-MM-DD; points by address.

    drives: by the two points as they were asked for.
    """

    places: dict[str, dict[str, Place]] = field(default_factory=dict)
    services: dict[tuple[str, str, str], list[Service]] = field(default_factory=dict)
    points: dict[str, Point] = field(default_factory=dict)
    drives: dict[tuple[str, str], Drive] = field(default_factory=dict)
    calls: set[CallKey] = field(default_factory=set)

    def services_between(self, origin: str, destination: str, date: str) -> list[Service]:
        """Services of that date, else of any other date: timetables rarely differ from day to day."""
        exact = self.services.get((origin, destination, date))
        if exact:
            return exact
        others = (
            services for key, services in sorted(self.services.items()) if key[:2] == (origin, destination)
        )
        return next((services for services in others if services), [])


def call_key(name: str, arguments: object) -> CallKey:
    return name, json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)


def read_log(log: Iterable[ToolEntry], only: frozenset[CallKey] | None = None) -> Knowledge:
    """Everything that the log's answers say; `only` restricts it to those calls."""
    known = Knowledge()
    learn(known, log, only)
    return known


def learn(known: Knowledge, log: Iterable[ToolEntry], only: frozenset[CallKey] | None = None) -> None:
    """Take in what more of a log says, as if it had been read with what was learnt before."""
    for entry in log:
        key = call_key(entry.name, entry.arguments)
        if only is not None and key not in only:
            continue
        known.calls.add(key)
        told = told_by(entry)
        if told is not None and isinstance(entry.arguments, dict):
            _learn(known, entry.arguments, told)


def _learn(known: Knowledge, arguments: Mapping[str, Any], told: Partial) -> None:
    if isinstance(told, PartialTrip):
        _learn_services(known, arguments, told)
    elif isinstance(told, PartialPlace):
        _learn_place(known, told, "")
    elif isinstance(told, PartialPlaces) and not isinstance(told, PartialAlong):
        for place in told.pois or ():
            if place is not None:
                _learn_place(known, place, str(arguments.get("city", "")))
    elif isinstance(told, PartialAddress):
        point, address = find_point(told), str(arguments.get("address"))
        if point is not None and _is_about(told, address):
            known.points[address] = point
    elif isinstance(told, PartialRoute) and arguments.get("mode") == "driving":
        _learn_drive(known, arguments, told)


def _is_about(told: PartialAddress, address: str) -> bool:
    """Whether a geocoder means what it was asked for: not a hotel or a restaurant named after a station."""
    if told.kind in {"hotel", "restaurant"}:
        return False
    name = told.name
    return name is None or any(address[at : at + 2] in name for at in range(len(address) - 1))


def _learn_services(known: Knowledge, arguments: Mapping[str, Any], told: PartialTrip) -> None:
    key = (str(arguments.get("origin")), str(arguments.get("destination")), str(arguments.get("date")))
    rows = (*(told.trains or ()), *(told.flights or ()))
    read = (service for row in rows if row and (service := read_service(row)))
    known.services[key] = list(dict.fromkeys([*known.services.get(key, ()), *read]))


def read_service(row: PartialService) -> Service | None:
    """None where the mode, a time or the price is missing."""
    depart, arrive, price = minutes(row.depart), minutes(row.arrive), _number(row.price)
    offset = _number(row.day_offset) or 0.0
    if row.mode not in ("高铁", "火车", "飞机") or depart is None or arrive is None or price is None:
        return None
    if depart >= 1440:
        return None
    if arrive == 1440:
        arrive, offset = 0, offset + 1
    if arrive <= depart and offset < 1:
        offset = 1.0
    length = _number(row.duration_minutes)
    return Service(
        mode=row.mode,
        number=as_text(row, "number"),
        origin=row.from_station or row.from_airport or "",
        destination=row.to_station or row.to_airport or "",
        depart=depart,
        arrive=arrive,
        day_offset=int(offset),
        duration=int(length if length else arrive - depart + 1440 * offset),
        price=price,
    )


def _learn_place(known: Knowledge, row: PartialPlace, asked_city: str) -> None:
    identity, name = row.id, row.name
    if not isinstance(identity, str | int) or name is None or not name.strip():
        return
    city = row.city or asked_city
    here = known.places.setdefault(city, {})
    before = here.get(str(identity))
    if before is None or "opening_text" in row.model_fields_set or not before.detailed:
        here[str(identity)] = _read_place(str(identity), name, city, row, before)


def _read_place(identity: str, name: str, city: str, row: PartialPlace, before: Place | None) -> Place:
    hours = row.opening_hours
    text = row.opening_text or (hours if isinstance(hours, str) else "")
    return Place(
        id=identity,
        name=name,
        kind=row.kind or (before.kind if before else ""),
        category=row.category or (before.category if before else ""),
        city=city,
        point=read_point(row.location) or (before.point if before else None),
        rating=_number(row.rating) or 0.0,
        price=_number(row.price),
        stay_hours=_pair(row.stay_hours) or (before.stay_hours if before else None),
        hours_text=text,
        hours=hours if isinstance(hours, Mapping) else None,
        detailed="opening_text" in row.model_fields_set or isinstance(hours, Mapping),
    )


def _learn_drive(known: Knowledge, arguments: Mapping[str, Any], answer: PartialRoute) -> None:
    """Distance, time and cost, whatever the answer calls its metres and seconds."""
    metres = _first_number(answer, ("distance_m", "distance_meters", "distance"))
    kilometres = _first_number(answer, ("distance_km",)) or (metres or 0) / 1000
    seconds = _first_number(answer, ("duration_seconds", "duration_s"))
    length = _first_number(answer, ("duration_minutes", "minutes")) or (seconds or 0) / 60
    if kilometres > 0:
        key = (str(arguments.get("origin")), str(arguments.get("destination")))
        known.drives[key] = Drive(kilometres, length, _first_number(answer, ("cost",)))


def find_point(value: object) -> Point | None:
    """The first "lon,lat" text under a key `location`, at any depth."""
    value = dict(value) if isinstance(value, Partial) else value
    if isinstance(value, Mapping):
        point = read_point(value.get("location"))
        return point or next((p for item in value.values() if (p := find_point(item))), None)
    if isinstance(value, list):
        return next((p for item in value if (p := find_point(item))), None)
    return None


def _first_number(value: object, names: tuple[str, ...]) -> float | None:
    value = dict(value) if isinstance(value, Partial) else value
    if isinstance(value, Mapping):
        for name in names:
            number = _number(value.get(name))
            if number is not None:
                return number
        return next((n for item in value.values() if (n := _first_number(item, names)) is not None), None)
    if isinstance(value, list):
        return next((n for item in value if (n := _first_number(item, names)) is not None), None)
    return None


def _pair(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    low, high = _number(value[0]), _number(value[1])
    return (min(low, high), max(low, high)) if low is not None and high is not None else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e9 else None
