"""The tables of a world that has records alone, such as the starter world."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import permutations

from benchmark.suites.traveleval.world.tables import (
    ROOM_SIZES,
    City,
    Hotel,
    MetroLine,
    Ride,
    Room,
    Sight,
    Tables,
    Tavern,
)
from sandbox.worlds import World
from sandbox.worlds.geo import Point
from sandbox.worlds.records import Place, Service, Station
from sandbox.worlds.records import Room as RoomRecord

_WHOLE_DAY = ("0:00", "24:00")
_USUAL_STAY = (1.0, 2.0)
_ROOMS_WHERE_UNKNOWN = 10
_PLANE = "飞机"


def tables_of_records(pack: World) -> Tables:
    """The tables of any pack: names are those without 市."""
    short = {city.name: city.aliases[0] if city.aliases else city.name for city in pack.cities()}
    pairs = {pair: pack.services(*pair) for pair in permutations(short, 2)}
    trains = {pair: [_ride(run) for run in found if run.mode != _PLANE] for pair, found in pairs.items()}
    return Tables(
        cities={name: _city(pack, full, name) for full, name in short.items()},
        trains={(short[a], short[b]): found for (a, b), found in trains.items()},
        flights=[_ride(run) for found in pairs.values() for run in found if run.mode == _PLANE],
        other_names={other.lower(): short[c.name] for c in pack.cities() for other in (c.name, *c.aliases)},
    )


def _city(pack: World, full: str, name: str) -> City:
    places = [*pack.places(full)]
    stations = [station for kind in ("train", "airport", "metro") for station in pack.stations(full, kind)]
    return City(
        name,
        sights=[_sight(place) for place in places if place.kind == "attraction"],
        taverns=[_tavern(place) for place in places if place.kind == "restaurant"],
        hotels=[_hotel(place) for place in places if place.kind == "hotel"],
        points=dict(_points(stations, places)),
        metro=_lines(station for station in stations if station.kind == "metro"),
    )


def _points(stations: Iterable[Station], places: Iterable[Place]) -> Iterator[tuple[str, Point]]:
    everything: Iterable[Station | Place] = (*stations, *places)
    for named in everything:
        yield named.name, (named.longitude, named.latitude)


def _hours(place: Place) -> tuple[str, str]:
    """Those of the first rule; the whole day where none are known."""
    hours = place.opening_hours
    if hours is None or hours.always_open or not hours.rules or not hours.rules[0].time_windows:
        return _WHOLE_DAY
    windows = hours.rules[0].time_windows
    return windows[0].open, windows[-1].close


def _sight(place: Place) -> Sight:
    least, most = place.stay_hours or _USUAL_STAY
    return Sight(
        name=place.name,
        point=(place.longitude, place.latitude),
        types=f"{{{';'.join(place.categories or (place.category,))}}}",
        opens=_hours(place)[0],
        closes=_hours(place)[1],
        price=place.price or 0.0,
        least=least,
        most=most,
        star=math.nan if place.rating is None else place.rating,
    )


def _tavern(place: Place) -> Tavern:
    point = (place.longitude, place.latitude)
    return Tavern(place.name, point, place.category, place.price or 0.0, *_hours(place))


def _hotel(place: Place) -> Hotel:
    return Hotel(place.name, (place.longitude, place.latitude), place.category, _rooms(place.rooms))


def _rooms(rooms: Iterable[RoomRecord]) -> dict[str, Room]:
    """The cheapest of each of TravelEval's kinds; those of other names go by their size."""
    kinds: dict[str, Room] = {}
    for room in sorted(rooms, key=lambda own: own.price, reverse=True):
        stock = _ROOMS_WHERE_UNKNOWN if room.stock is None else room.stock
        kinds[_room_kind(room)] = Room(room.price, stock)
    return {kind: kinds[kind] for kind in ROOM_SIZES if kind in kinds}


def _room_kind(room: RoomRecord) -> str:
    if room.capacity >= ROOM_SIZES["家庭房"]:
        return "家庭房"
    if room.capacity == 1:
        return "单人房"
    return "双人房" if "双" in room.name else "大床房"


def _ride(run: Service) -> Ride:
    kind = _PLANE if run.mode == _PLANE else run.type
    ends = (run.origin_station, run.destination_station)
    return Ride(
        run.number, kind, *ends, run.depart, run.arrive, round(run.duration_minutes / 60, 2), run.price
    )


def _lines(stations: Iterable[Station]) -> list[MetroLine]:
    """The stops of a line are in no order: records do not know it."""
    stops: dict[str, list[tuple[str, Point]]] = {}
    for station in stations:
        for line in station.lines:
            stops.setdefault(line, []).append((station.name, (station.longitude, station.latitude)))
    return [MetroLine(line, tuple(own)) for line, own in stops.items()]
