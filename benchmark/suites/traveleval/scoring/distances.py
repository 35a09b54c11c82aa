"""How far places are from each other, by the choice of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmark.suites.traveleval import options
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure
from benchmark.suites.traveleval.scoring.routes import Distance, rounded_great_circle
from sandbox.roads import Roads, RoadsUnavailable
from sandbox.worlds.geo import Point

Distances = Callable[[Itinerary], Distance | None]
"""The distances in the city of a plan; None where there is no road service."""


class AskedRoads:
    """A road service, with what it could not tell."""

    def __init__(self, roads: Roads) -> None:
        self._roads = roads
        self._failure = ""
        self._without_road = 0

    def kilometres(self, origins: Sequence[Point], destination: Point) -> list[float | None]:
        """From each of the origins; None where no road is known. One that has failed is not asked again."""
        if self._failure:
            return [None] * len(origins)
        try:
            found = self._roads.kilometres(origins, destination)
        except RoadsUnavailable as failure:
            self._failure = str(failure)
            return [None] * len(origins)
        self._without_road += sum(km is None for km in found)
        return found

    def as_evidence(self) -> dict[str, Any]:
        """What it could not tell."""
        return {"failure": self._failure, "without_road": self._without_road}


class _RoadTable:
    """The ways between the points of a plan; all that lead to one are asked for at once."""

    def __init__(self, plan: Itinerary, roads: AskedRoads) -> None:
        known, names = plan.city.points, (stop.name.value for stop in plan.stops)
        self._points = [
            *dict.fromkeys(known[name] for name in names if isinstance(name, str) and name in known)
        ]
        self._roads = roads
        self._to: dict[Point, Mapping[Point, float | None]] = {}

    def kilometres(self, origin: Point, destination: Point) -> float:
        """Raises UndefinedFigure where no road is known."""
        if origin == destination:
            return 0.0
        if destination not in self._to:
            origins = [point for point in self._points if point != destination]
            self._to[destination] = dict(
                zip(origins, self._roads.kilometres(origins, destination), strict=True)
            )
        km = self._to[destination].get(origin)
        if km is None:
            raise UndefinedFigure((options.DISTANCE_OPTION.key,))
        return km


def straight_distances(plan: Itinerary) -> Distance:
    """As the crow flies."""
    return rounded_great_circle


def _no_distances(plan: Itinerary) -> None:
    """As without a road service."""


def distances_by(choice: str, roads: AskedRoads | None) -> Distances:
    """By a value of the option. roads: None where nobody gave a key."""
    if choice == options.STREETS:
        return lambda plan: plan.city.streets.kilometres
    if choice == options.AMAP and roads is not None:
        return lambda plan: _RoadTable(plan, roads).kilometres
    return straight_distances if choice == options.GREAT_CIRCLE else _no_distances
