"""Where things are, and how long it takes to get from one to another inside a city."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from benchmark.plans.ways import great_circle_km
from sandbox.worlds.geo import Point

WALK = "步行"
_ROAD = 1.3
_WALK_KM = 1.2


def read_point(value: object) -> Point | None:
    """The point of a "lon,lat" text; None where it is none."""
    if not isinstance(value, str):
        return None
    parts = value.split(",")
    try:
        lon, lat = float(parts[0]), float(parts[1])
    except (ValueError, IndexError):
        return None
    return (lon, lat) if abs(lon) <= 180 and abs(lat) <= 90 else None


def written_point(point: Point) -> str:
    return f"{point[0]:.6f},{point[1]:.6f}"


def centre(points: Iterable[Point]) -> Point | None:
    known = list(points)
    if not known:
        return None
    return sum(p[0] for p in known) / len(known), sum(p[1] for p in known) / len(known)


def ride_minutes(km: float) -> int:
    """Door to door by foot (up to 1.2 km) or taxi, in steps of five minutes; `km` as the crow flies."""
    road = km * _ROAD
    if road <= _WALK_KM:
        needed = road * 13
    else:
        needed = 6 + min(road, 15.0) * 2.0 + max(0.0, road - 15.0) * 1.1
    return max(5, math.ceil(needed / 5) * 5)


class _Ways(dict[tuple[int, int], int]):
    """Minutes by (from, to), each estimated when it is first looked up: the search asks millions of times."""

    def __init__(self, estimate: Callable[[int, int], int]) -> None:
        self._estimate = estimate

    def __missing__(self, pair: tuple[int, int]) -> int:
        self[pair] = self[pair[1], pair[0]] = minutes = self._estimate(*pair)
        return minutes


class Atlas:
    """Numbered points of interest with travel times between them; a point may be unknown.

    Node 0 is nowhere: going from or to it takes no time (a day that begins in the home city).
    """

    def __init__(self) -> None:
        self.names: list[str] = [""]
        self._points: list[Point | None] = [None]
        self._unknown_count: list[int] = [0]
        self._numbers: dict[tuple[str, Point | None, int], int] = {}
        self.ways = _Ways(self._estimate)

    def add(self, name: str, point: Point | None, unknown: int = 30) -> int:
        """The node of these figures; `unknown` is the minutes to anywhere while the point is not known."""
        number = self._numbers.setdefault((name, point, unknown), len(self.names))
        if number == len(self.names):
            self.names.append(name)
            self._points.append(point)
            self._unknown_count.append(unknown)
        return number

    def minutes(self, a: int, b: int) -> int:
        return self.ways[a, b]

    def point(self, node: int) -> Point | None:
        return self._points[node]

    def road_km(self, a: int, b: int) -> float | None:
        """Along the streets, estimated; None where one of the two points is not known."""
        p, q = self._points[a], self._points[b]
        return None if p is None or q is None else great_circle_km(p, q) * _ROAD

    def mode(self, a: int, b: int) -> str:
        """步行 or 打车, or 包车 for what lies far out."""
        road = self.road_km(a, b)
        if road is None:
            return "打车"
        return WALK if road <= _WALK_KM else "打车" if road <= 60 else "包车"

    def _estimate(self, a: int, b: int) -> int:
        if a == b or not a or not b or self.names[a] == self.names[b]:
            return 0
        p, q = self._points[a], self._points[b]
        if p is None or q is None:
            return max(self._unknown_count[a] if p is None else 0, self._unknown_count[b] if q is None else 0)
        return ride_minutes(great_circle_km(p, q))
