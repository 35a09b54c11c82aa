"""poi/CITY/poi.json and transportation/subways.json: landmarks, stations, the metro."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sandbox.worlds.china10.fields import SHORT, Gaps, position, text
from sandbox.worlds.china10.knowledge import Knowledge, SourceCity
from sandbox.worlds.china10.reading import Problems, Row
from sandbox.worlds.geo import Point, distance_m
from sandbox.worlds.records import Place, Service, Station
from sandbox.worlds.text import normalise

METRO = "transportation/subways.json"
SAME_STOP_M = 1000.0
_RAIL, _AIR = "站", "机场"


def read_points(
    rows: Iterable[Row], city: SourceCity, knowledge: Knowledge, problems: Problems, gaps: Gaps
) -> dict[str, Point]:
    """The named points of a city, the first of each name; `position` is [latitude, longitude]."""
    points: dict[str, Point] = {}
    for _, (name, point) in problems.convert(rows, lambda row: _point(row.values, city, knowledge, gaps)):
        points.setdefault(name, knowledge.stations.get(name, point))
    return points


def landmarks(city: SourceCity, points: dict[str, Point], taken: set[str]) -> Iterator[Place]:
    """Points that are no station and whose name, but for its spelling, is not in `taken`."""
    known = set(map(normalise, taken))
    others = [
        (name, point)
        for name, point in points.items()
        if normalise(name) not in known and not _is_stop(name, city)
    ]
    for nth, (name, (longitude, latitude)) in enumerate(others, start=1):
        yield Place(
            id=f"{city.slug}-l-{nth:04d}",
            city=city.name,
            kind="landmark",
            name=name,
            longitude=longitude,
            latitude=latitude,
        )


def rail_and_air(
    cities: dict[str, SourceCity], points: dict[str, dict[str, Point]], services: Iterable[Service],
    knowledge: Knowledge, gaps: Gaps,
) -> list[Station]:  # fmt: skip
    """Stations that a service uses or a city's points name, where their position is known. Keys are city names."""
    named = {(name, city) for city in cities for name in points[city] if _is_stop(name, cities[city])}
    for service in services:
        named |= {
            (service.origin_station, service.origin_city),
            (service.destination_station, service.destination_city),
        }
    stations = []
    for name, city in sorted(named):
        place = knowledge.stations.get(name) or points[city].get(name)
        if place is None:
            gaps["stations_without_position"] += 1
            continue
        kind = "airport" if name.endswith(_AIR) else "train"
        stations.append(Station.model_validate(_station(name, city, kind, place)))
    return stations


def read_metro(
    rows: Iterable[Row], city: SourceCity, knowledge: Knowledge, problems: Problems, gaps: Gaps
) -> list[Station]:
    """Metro stops with all their lines. A stop far from another of its name keeps a name of its own."""
    stops: dict[str, tuple[Point, list[str]]] = {}
    for _, (line, places) in problems.convert(rows, lambda row: _line(row.values, city, knowledge, gaps)):
        for name, point in places:
            _stop(stops, name, point, line)
    return [
        Station.model_validate(
            _station(name, city.name, "metro", point) | {"lines": tuple(dict.fromkeys(lines))}
        )
        for name, (point, lines) in stops.items()
    ]


def _station(name: str, city: str, kind: str, point: Point) -> dict[str, Any]:
    return {"name": name, "city": city, "kind": kind, "longitude": point[0], "latitude": point[1]}


def _is_stop(name: str, city: SourceCity) -> bool:
    return name.startswith(city.alias) and name.endswith((_RAIL, _AIR))


def _point(values: dict[str, Any], city: SourceCity, knowledge: Knowledge, gaps: Gaps) -> tuple[str, Point]:
    name = text(values["name"], "name")
    given = values["position"]
    if not isinstance(given, list) or len(given) != 2:
        raise ValueError(f"position {SHORT.repr(given)} is not [latitude, longitude]")
    point, _ = position(city, name, given[0], given[1], knowledge, gaps)
    return name, point


def _line(
    values: dict[str, Any], city: SourceCity, knowledge: Knowledge, gaps: Gaps
) -> tuple[str, list[tuple[str, Point]]]:
    line = text(values["name"], "name")
    stations = values["stations"]
    if not isinstance(stations, list) or not all(isinstance(stop, dict) for stop in stations):
        raise ValueError(f"the stations of {line} are no list of objects")
    return line, [_metro_stop(stop, line, city, knowledge, gaps) for stop in stations]


def _metro_stop(
    values: dict[str, Any], line: str, city: SourceCity, knowledge: Knowledge, gaps: Gaps
) -> tuple[str, Point]:
    name = text(values.get("name"), f"name of a station of {line}")
    longitude, comma, latitude = str(values.get("position")).partition(",")
    if not comma:
        raise ValueError(
            f'{line}, {name}: position {SHORT.repr(values.get("position"))} is not "longitude,latitude"'
        )
    point, _ = position(city, name, latitude, longitude, knowledge, gaps)
    return name, point


def _stop(stops: dict[str, tuple[Point, list[str]]], name: str, point: Point, line: str) -> None:
    if name in stops and distance_m(stops[name][0], point) > SAME_STOP_M:
        name = f"{name}({line})"
    stops.setdefault(name, (point, []))[1].append(line)
