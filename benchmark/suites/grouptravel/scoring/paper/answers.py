"""What tools returned in a run: prices of places, services between cities, drives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

import orjson

from benchmark.suites.grouptravel.scoring.run_record import RunRecord
from benchmark.suites.grouptravel.scoring.validity.checks import city_stem
from benchmark.text import guarded
from sandbox.tools.results import is_error, read_partial
from sandbox.toolsets.grouptravel.compare_routes import PartialRoutes
from sandbox.toolsets.grouptravel.poi import PartialPlace, PartialPlaces, PartialRoom, PartialSpot
from sandbox.toolsets.grouptravel.routing import PartialEnd, PartialRoute
from sandbox.toolsets.grouptravel.search_along_route import PartialAlong
from sandbox.toolsets.grouptravel.services import PartialService, PartialTrip
from sandbox.toolsets.grouptravel.tools import TOOLS

FLIGHT, DRIVE = "飞机", "自驾"


Spot = tuple[float, float]
"""A coordinate to four digits, about ten metres."""
_COORDINATE = guarded.compile(
    r"\s*(-?\d{1,3}(?:\.\d{1,15})?)\s*[,，]\s*(-?\d{1,3}(?:\.\d{1,15})?)\s*", guarded.ASCII
)


class PlacePrices(NamedTuple):
    """A place as a tool returned it. prices: CNY a person that may be given for it, empty where there was none."""

    city: str
    prices: tuple[float, ...]


class PlaceLocation(NamedTuple):
    """Where a name lies by one tool result. city: "" where it names none."""

    city: str
    spot: Spot


class Service(NamedTuple):
    """A flight or train: cities without suffix, times as returned, `prices` CNY a person, one a class."""

    mode: str
    origin: str
    destination: str
    depart: str
    arrive: str
    prices: tuple[float, ...]


class Drive(NamedTuple):
    """A way by car between two named ends; `cost` CNY a car or None."""

    origin: str
    destination: str
    minutes: float
    cost: float | None


@dataclass
class Answers:
    """Everything that could be read.

    held: whether the record tells what tools returned at all. places: by name. spots: cities without suffix by the
    coordinate of what tools found in them. locations: where names lie. unread_results: the texts of results that
    are no JSON of a known shape, by tool; web_texts: texts of web searches, which may name anything.
    """

    held: bool = False
    places: dict[str, list[PlacePrices]] = field(default_factory=dict)
    spots: dict[Spot, set[str]] = field(default_factory=dict)
    locations: dict[str, list[PlaceLocation]] = field(default_factory=dict)
    services: list[Service] = field(default_factory=list)
    drives: list[Drive] = field(default_factory=list)
    unread_results: dict[str, list[str]] = field(default_factory=dict)
    web_texts: list[str] = field(default_factory=list)

    def place(self, city: str, name: str) -> list[PlacePrices]:
        """What was returned under this name, else under the shortest name that contains it, in `city`."""
        return _entries_named(self.places, city, name)

    def spots_named(self, city: str, name: str) -> list[Spot]:
        """Where a place of this name lies in `city`, found as `place` finds it; a coordinate is its own name."""
        spot = spot_of(name)
        return [spot] if spot else [located.spot for located in _entries_named(self.locations, city, name)]

    def unreadable(self, *tools: str) -> bool:
        """Whether one of these tools answered something that can't be read."""
        return any(tool in self.unread_results for tool in tools)


def answers_in(record: RunRecord) -> Answers:
    """The results of a record; an error is one that names nothing.

    A record without any is taken at its word only where it also says that no tool was called.
    """
    answers = Answers(held=bool(record.results) or record.called_no_tool)
    for name, text, failed in record.results:
        value = _decode(text)
        if failed or is_error(value):
            continue
        tool = TOOLS.get(name)
        told = read_partial(tool.partial, value) if tool else None
        if name == "maps_geo" and isinstance(told, PartialSpot):
            _read_spot(answers, told)
        if name in _READERS and (told is None or not _READERS[name](answers, told)):
            answers.unread_results.setdefault(name, []).append(text if isinstance(text, str) else "")
        elif name not in _READERS and isinstance(text, str):
            answers.web_texts.append(text)
    return answers


class _InCity(Protocol):
    @property
    def city(self) -> str: ...


_Entry = TypeVar("_Entry", bound=_InCity)


def _entries_named(by_name: Mapping[str, list[_Entry]], city: str, name: str) -> list[_Entry]:
    if not name:
        return []
    entries = _in_city(by_name.get(name, ()), city)
    if entries:
        return entries
    longer = [held for held in by_name if name in held and _in_city(by_name[held], city)]
    return _in_city(by_name[min(longer, key=len)], city) if longer else []


def _decode(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _read_places(answers: Answers, told: PartialPlaces) -> bool:
    return told.pois is not None and _every([_read_place(answers, place) for place in told.pois])


def _read_place(answers: Answers, place: PartialPlace | None) -> bool:
    if place is not None:
        _read_spot(answers, place)
    if place is None or place.name is None or not place.has("price"):
        return False
    prices = [] if place.price is None else [place.price]
    priced = PlacePrices(city_stem(place.city or ""), (*prices, *_room_prices(place.rooms or ())))
    answers.places.setdefault(place.name, []).append(priced)
    return True


def _read_spot(answers: Answers, place: PartialSpot) -> None:
    spot, city = spot_of(place.location), city_stem(place.city or "")
    if spot and city:
        answers.spots.setdefault(spot, set()).add(city)
    if spot and place.name:
        answers.locations.setdefault(place.name, []).append(PlaceLocation(city, spot))


def spot_of(text: Any) -> Spot | None:
    """The coordinate that a text "lon,lat" is."""
    match = _COORDINATE.fullmatch(text) if isinstance(text, str) else None
    return (round(float(match[1]), 4), round(float(match[2]), 4)) if match else None


def _room_prices(rooms: Iterable[PartialRoom | None]) -> Iterator[float]:
    """A room's price, and that for each who sleeps in it."""
    for room in rooms:
        if room is not None and room.price is not None:
            yield room.price
            if room.capacity:
                yield room.price / room.capacity


def _read_flights(answers: Answers, told: PartialTrip) -> bool:
    return _read_services(answers, told, told.flights, FLIGHT)


def _read_trains(answers: Answers, told: PartialTrip) -> bool:
    return _read_services(answers, told, told.trains, None)


def _read_services(
    answers: Answers, trip: PartialTrip, listed: Iterable[PartialService | None] | None, mode: str | None
) -> bool:
    if listed is None or trip.origin is None or trip.destination is None:
        return False
    ends = city_stem(trip.origin), city_stem(trip.destination)
    return _every([_read_service(answers, ends, service, mode) for service in listed])


def _fares(service: PartialService) -> Iterator[float]:
    """The price of a service, and those of its other classes."""
    for each in (service, *(service.classes or ())):
        if each is not None and each.price is not None:
            yield each.price


def _read_service(
    answers: Answers, ends: tuple[str, str], service: PartialService | None, mode: str | None
) -> bool:
    if service is None or service.is_unfit("mode"):
        return False
    kind, depart, arrive = service.mode or mode, service.depart, service.arrive
    if kind is None or depart is None or arrive is None:
        return False
    answers.services.append(Service(kind, *ends, depart, arrive, tuple(_fares(service))))
    return True


def _read_route(answers: Answers, route: PartialRoute | None) -> bool:
    if route is None or route.duration_minutes is None:
        return False
    for end in (route.origin, route.destination):
        _read_end(answers, end)
    ends = _end(route.origin), _end(route.destination)
    if ends[0] is None or ends[1] is None:
        return False
    if route.mode == "driving":
        answers.drives.append(Drive(ends[0], ends[1], route.duration_minutes, route.cost))
    return True


def _read_end(answers: Answers, end: PartialEnd | None) -> None:
    spot = spot_of(end.location) if end else None
    if end and end.name and spot:
        answers.locations.setdefault(end.name, []).append(PlaceLocation("", spot))


def _end(end: PartialEnd | None) -> str | None:
    return end.name if end else None


def _read_routes(answers: Answers, told: PartialRoutes) -> bool:
    return told.routes is not None and _every([_read_route(answers, route) for route in told.routes])


def _read_along(answers: Answers, told: PartialAlong) -> bool:
    _read_route(answers, told.route)
    return _read_places(answers, told)


def _every(read: list[bool]) -> bool:
    """Whether all were readable; a list, so that what stands behind an unreadable one is read as well."""
    return all(read)


def _in_city(entries: Iterable[_Entry], city: str) -> list[_Entry]:
    stem = city_stem(city)
    return [held for held in entries if not held.city or not stem or held.city == stem]


_READERS: dict[str, Callable[[Answers, Any], bool]] = {
    "search_poi": _read_places,
    "get_poi_detail": _read_place,
    "search_along_route": _read_along,
    "travel_search_flights": _read_flights,
    "travel_search_trains": _read_trains,
    "plan_route": _read_route,
    "compare_routes": _read_routes,
}
"""What reads the results of a tool; all others tell no prices and no services."""
