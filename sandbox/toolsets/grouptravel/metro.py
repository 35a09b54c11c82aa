"""Riding the metro, estimated from where the stations are and which lines stop there.

The records do not say in what order a line's stations lie, so a ride is the straight line between two stations
with a detour factor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from sandbox.worlds.geo import Point, distance_m
from sandbox.worlds.records import Station

REACH_M = 1500.0
"""As far as a person walks to a station."""
RIDE_DETOUR = 1.25
RIDE_M_PER_MINUTE = 32_000 / 60
WAIT_MINUTES, TRANSFER_MINUTES = 3.0, 4.0
_STATIONS_TRIED = 3
_LINES_AT_MOST = 4
_FARES = ((6_000, 3.0), (12_000, 4.0), (22_000, 5.0), (32_000, 6.0))
_FARE_STEP_M = 20_000


@dataclass(frozen=True, slots=True)
class Stop:
    """A station of any number of lines."""

    name: str
    point: Point
    lines: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ride:
    """`stops` are where one boards, changes and alights: one more than `lines`."""

    stops: tuple[Stop, ...]
    lines: tuple[str, ...]

    @property
    def metres(self) -> float:
        """Along the tracks."""
        return RIDE_DETOUR * sum(distance_m(start.point, end.point) for start, end in pairwise(self.stops))

    @property
    def minutes(self) -> float:
        """With waiting and changing."""
        changes = len(self.lines) - 1
        return self.metres / RIDE_M_PER_MINUTE + WAIT_MINUTES + changes * TRANSFER_MINUTES

    @property
    def fare(self) -> float:
        """CNY a person, by distance as most cities charge it."""
        for up_to, fare in _FARES:
            if self.metres <= up_to:
                return fare
        return _FARES[-1][1] + -(-(self.metres - _FARES[-1][0]) // _FARE_STEP_M)


def rides(stations: Iterable[Station], origin: Point, destination: Point) -> Iterator[Ride]:
    """Rides from stations within reach of one point to stations within reach of the other, fewest changes each."""
    stops = _merge_stations(stations)
    for start in _within_reach(stops, origin):
        for end in _within_reach(stops, destination):
            if start.name != end.name and (ride := _ride(stops, start, end)):
                yield ride


def _merge_stations(stations: Iterable[Station]) -> list[Stop]:
    """One stop a name: some sources list a station once for each of its lines."""
    points: dict[str, Point] = {}
    lines: dict[str, set[str]] = {}
    for station in stations:
        points.setdefault(station.name, (station.longitude, station.latitude))
        lines.setdefault(station.name, set()).update(station.lines)
    return [Stop(name, point, frozenset(lines[name])) for name, point in points.items()]


def _within_reach(stops: list[Stop], point: Point) -> list[Stop]:
    away = sorted((distance_m(point, stop.point), stop.name, stop) for stop in stops)
    return [stop for metres, _, stop in away[:_STATIONS_TRIED] if metres <= REACH_M]


def _ride(stops: list[Stop], start: Stop, end: Stop) -> Ride | None:
    lines = _fewest_lines(stops, start, end)
    if not lines:
        return None
    path = [start]
    for line, following in pairwise(lines):
        changes = [stop for stop in stops if line in stop.lines and following in stop.lines]
        path.append(min(changes, key=lambda stop: _by_way_of(path[-1], stop, end)))
    return Ride((*path, end), lines)


def _by_way_of(start: Stop, stop: Stop, end: Stop) -> tuple[float, str]:
    return distance_m(start.point, stop.point) + distance_m(stop.point, end.point), stop.name


def _fewest_lines(stops: list[Stop], start: Stop, end: Stop) -> tuple[str, ...]:
    """Breadth first over lines that share a station; empty where no way is found."""
    waiting: deque[tuple[str, ...]] = deque((line,) for line in sorted(start.lines))
    seen = set(start.lines)
    while waiting:
        path = waiting.popleft()
        if path[-1] in end.lines:
            return path
        if len(path) < _LINES_AT_MOST:
            reached = {line for stop in stops if path[-1] in stop.lines for line in stop.lines} - seen
            seen |= reached
            waiting.extend((*path, line) for line in sorted(reached))
    return ()
