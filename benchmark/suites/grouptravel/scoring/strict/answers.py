"""What tools returned in a run: prices of places, services between cities, drives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from benchmark.suites.grouptravel.preferences.tables import part
from benchmark.suites.grouptravel.scoring.validity.cities import city_stem
from benchmark.text import guarded

STAT_COUNTS = ("tool_calls_executed", "cache_hits", "cache_misses")
"""Of `agent_tool_stats`: all are 0 where no tool was called."""
FLIGHT, DRIVE = "飞机", "自驾"


Spot = tuple[float, float]
"""A coordinate to four digits, about ten metres."""
_COORDINATE = guarded.compile(
    r"\s*(-?\d{1,3}(?:\.\d{1,15})?)\s*[,，]\s*(-?\d{1,3}(?:\.\d{1,15})?)\s*", guarded.ASCII
)


class Priced(NamedTuple):
    """A place as a tool returned it. prices: CNY a person that may be given for it, empty where there was none."""

    city: str
    prices: tuple[float, ...]


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
    coordinate of what tools found in them. unread: the texts of results that
    are no JSON of a known shape, by tool; told: texts of web searches, which may name anything.
    """

    held: bool = False
    places: dict[str, list[Priced]] = field(default_factory=dict)
    spots: dict[Spot, set[str]] = field(default_factory=dict)
    services: list[Service] = field(default_factory=list)
    drives: list[Drive] = field(default_factory=list)
    unread: dict[str, list[str]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def place(self, city: str, name: str) -> list[Priced]:
        """What was returned under this name, else under the shortest name that contains it, in `city`."""
        if not name:
            return []
        found = _in_city(self.places.get(name, ()), city)
        if found:
            return found
        longer = [held for held in self.places if name in held and _in_city(self.places[held], city)]
        return _in_city(self.places[min(longer, key=len)], city) if longer else []

    def unreadable(self, *tools: str) -> bool:
        """Whether one of these tools answered something that can't be read."""
        return any(tool in self.unread for tool in tools)


def answers_in(record: Mapping[str, Any]) -> Answers:
    """The results in a record's `conversation_history`; an error is one that names nothing.

    A record without any is taken at its word only where it also says that no tool was called.
    """
    answers = Answers()
    for name, text, failed in _results(record.get("conversation_history")):
        answers.held = True
        value = _decoded(text)
        if failed or _is_error(value):
            continue
        if name == "maps_geo":
            _read_spot(answers, value)
        if name in _READERS and not _READERS[name](answers, value):
            answers.unread.setdefault(name, []).append(text if isinstance(text, str) else "")
        elif name not in _READERS and isinstance(text, str):
            answers.told.append(text)
    if not answers.held:
        stats = record.get("agent_tool_stats")
        answers.held = all(part(stats, count) == 0 for count in STAT_COUNTS)
    return answers


def _results(history: Any) -> Iterator[tuple[str, Any, bool]]:
    """Each result's tool, what it holds, and whether it is marked as an error."""
    for entry in history if isinstance(history, list) else ():
        if isinstance(entry, dict) and entry.get("type") == "tool_result":
            name = entry.get("name")
            yield name if isinstance(name, str) else "", entry.get("result"), bool(entry.get("error"))


def _is_error(value: Any) -> bool:
    """The shape in which a tool tells what it refuses."""
    return isinstance(value, dict) and set(value) == {"error"}


def _decoded(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _read_places(answers: Answers, value: Any) -> bool:
    pois = part(value, "pois")
    return isinstance(pois, list) and _every([_read_place(answers, poi) for poi in pois])


def _read_place(answers: Answers, value: Any) -> bool:
    name = part(value, "name")
    if not isinstance(name, str) or "price" not in value:
        return False
    city, price, rooms = value.get("city"), _number(value["price"]), value.get("rooms")
    prices: tuple[float, ...] = () if price is None else (price,)
    if rooms and isinstance(rooms, list):
        prices += tuple([p for p in _room_prices(rooms) if p is not None])
    priced = Priced(city_stem(city) if isinstance(city, str) else "", prices)
    answers.places.setdefault(name, []).append(priced)
    _read_spot(answers, value)
    return True


def _read_spot(answers: Answers, value: Any) -> None:
    spot, city = spot_of(part(value, "location")), part(value, "city")
    if spot and isinstance(city, str) and city_stem(city):
        answers.spots.setdefault(spot, set()).add(city_stem(city))


def spot_of(text: Any) -> Spot | None:
    """The coordinate that a text "lon,lat" is."""
    found = _COORDINATE.fullmatch(text) if isinstance(text, str) else None
    return (round(float(found[1]), 4), round(float(found[2]), 4)) if found else None


def _room_prices(rooms: list[Any]) -> Iterator[float | None]:
    """A room's price, and that for each who sleeps in it."""
    for room in rooms:
        price, capacity = _number(part(room, "price")), _number(part(room, "capacity"))
        yield price
        yield price / capacity if price is not None and capacity else None


def _read_flights(answers: Answers, value: Any) -> bool:
    return _read_services(answers, value, part(value, "flights"), FLIGHT)


def _read_trains(answers: Answers, value: Any) -> bool:
    return _read_services(answers, value, part(value, "trains"), None)


def _read_services(answers: Answers, value: Any, listed: Any, mode: str | None) -> bool:
    ends = part(value, "origin"), part(value, "destination")
    if not isinstance(listed, list) or not all(isinstance(end, str) for end in ends):
        return False
    return _every([_read_service(answers, ends, each, mode) for each in listed])


def _fares(service: dict[str, Any]) -> Iterator[float]:
    """The price of a service, and those of its other classes."""
    classes = service.get("classes")
    for each in (service, *(classes if isinstance(classes, list) else ())):
        price = _number(part(each, "price"))
        if price is not None:
            yield price


def _read_service(answers: Answers, ends: tuple[Any, Any], value: Any, mode: str | None) -> bool:
    texts = [part(value, "mode") or mode, part(value, "depart"), part(value, "arrive")]
    if not all(isinstance(text, str) for text in texts):
        return False
    kind, depart, arrive = texts
    origin, destination = map(city_stem, ends)
    answers.services.append(
        Service(str(kind), origin, destination, str(depart), str(arrive), tuple(_fares(value)))
    )
    return True


def _read_route(answers: Answers, value: Any) -> bool:
    ends = part(part(value, "origin"), "name"), part(part(value, "destination"), "name")
    minutes = _number(part(value, "duration_minutes"))
    if minutes is None or not all(isinstance(end, str) for end in ends):
        return False
    if value.get("mode") == "driving":
        answers.drives.append(Drive(*ends, minutes, _number(value.get("cost"))))
    return True


def _read_routes(answers: Answers, value: Any) -> bool:
    routes = part(value, "routes")
    return isinstance(routes, list) and _every([_read_route(answers, route) for route in routes])


def _read_along(answers: Answers, value: Any) -> bool:
    _read_route(answers, part(value, "route"))
    return _read_places(answers, value)


def _every(read: list[bool]) -> bool:
    """Whether all were readable; a list, so that what stands behind an unreadable one is read as well."""
    return all(read)


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _in_city(found: Any, city: str) -> list[Priced]:
    stem = city_stem(city)
    return [priced for priced in found if not priced.city or not stem or priced.city == stem]


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
