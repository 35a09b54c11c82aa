"""Ways in a city, estimated from where its places and its metro stations are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.toolsets.grouptravel.metro import rides
from sandbox.toolsets.grouptravel.routing import street_metres, walk_metres
from sandbox.worlds.geo import Point
from sandbox.worlds.records import Station


class Streets:
    """The streets and the metro of a city. metro: the stops of each line, with where they are."""

    def __init__(self, city: str, metro: Iterable[tuple[str, Sequence[tuple[str, Point]]]]) -> None:
        self._stations = [
            Station(name=name, city=city, kind="metro", longitude=point[0], latitude=point[1], lines=(line,))
            for line, stops in metro
            for name, point in stops
        ]
        self._kilometres: dict[tuple[Point, Point], float] = {}

    def kilometres(self, a: Point, b: Point) -> float:
        """The shorter of the way by street and the way by metro with the walks to it, to 10 m."""
        ends = (a, b) if a <= b else (b, a)
        if ends not in self._kilometres:
            self._kilometres[ends] = round(min(street_metres(*ends), *self._by_metro(*ends)) / 1000, 2)
        return self._kilometres[ends]

    def _by_metro(self, a: Point, b: Point) -> list[float]:
        found = [
            walk_metres(a, ride.stops[0].point) + ride.metres + walk_metres(ride.stops[-1].point, b)
            for ride in rides(self._stations, a, b)
        ]
        return found or [float("inf")]
