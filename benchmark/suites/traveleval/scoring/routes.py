"""How far a plan goes around (spatiality, in km)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, repeat
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from benchmark.plans.ways import great_circle_km, length_km, shortest_km
from benchmark.suites.traveleval.scoring.itinerary import HOTEL_TYPES, Itinerary, Stop
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure, keep_answers
from benchmark.suites.traveleval.scoring.results import Result
from sandbox.worlds.geo import Point

Distance = Callable[[Point, Point], float]
"""Kilometres from one point to another."""
NamedPoint = tuple[str, Point]


@lru_cache(maxsize=2**16)
def rounded_great_circle(a: Point, b: Point) -> float:
    """As the crow flies, to 10 m, as the road service's answers are."""
    return round(great_circle_km(a, b), 2)


def known_points(plan: Itinerary, stops: Iterable[Stop]) -> list[NamedPoint]:
    """The stops that the city's list of points has. Raises UndefinedFigure for a list or object as a name."""
    names, points = [stop.name.name() for stop in stops], plan.city.points
    return [(name, points[name]) for name in names if name in points]


@keep_answers
def points_of_visits(plan: Itinerary) -> list[list[NamedPoint]]:
    """The known points of the attractions of each day."""
    return [known_points(plan, day.visits) for day in plan.schedule]


@keep_answers
def way_between_visits(plan: Itinerary, distance: Distance) -> Result:
    """The mean kilometres between neighbouring attractions of a day. Raises UndefinedFigure where no day has two."""
    ways = [distance(a, b) for day in points_of_visits(plan) for (_, a), (_, b) in pairwise(day)]
    if not ways:
        raise UndefinedFigure(("daily_plans",))
    return Result(fmean(ways))


def roundabout(plan: Itinerary, distance: Distance) -> Result:
    """SSR (formula 13): how much longer the way of a day is than the shortest one by the same points."""
    try:
        _points_of_days(plan)
    except UndefinedFigure:
        return Result(0.0)
    surpluses = _surpluses(plan, distance)
    rows = [{"at": day.entry.at, "surplus": own} for day, own in zip(plan.schedule, surpluses, strict=True)]
    return Result(fmean(surpluses) if surpluses else 0.0, rows=rows)


@keep_answers
def _points_of_days(plan: Itinerary) -> list[list[Point]]:
    return [[point for _, point in known_points(plan, day.stops)] for day in plan.schedule]


@keep_answers
def _surpluses(plan: Itinerary, distance: Distance) -> list[float]:
    return [_surplus(points, distance) for points in _points_of_days(plan)]


def _surplus(points: Sequence[Point], distance: Distance) -> float:
    """Raises UndefinedFigure where the shortest order of so many points can't be found."""
    shortest = shortest_km(points, distance)
    if shortest is None:
        raise UndefinedFigure(("daily_plans",))
    return length_km(points, distance) / shortest - 1 if shortest else 0.0


def spreads(plan: Itinerary, distance: Distance) -> list[float]:
    """CSM (formula 14): for each place how near those of its day are, against those of the nearest other day.

    Raises:
        UndefinedFigure: a name is a list or an object.
    """
    scheduled = sorted(plan.schedule, key=lambda day: day.number.value)
    days = [known_points(plan, (stop for stop in day.stops if stop.kind == "activity")) for day in scheduled]
    neighbours = Neighbours(days, distance)
    hotels = _hotels(plan)
    values: list[float] = []
    for nth, own in enumerate(days):
        found = zip(own, neighbours.spreads(nth), strict=True)
        values += [spread or 0.0 for (name, _), spread in found if name not in hotels]
        if nth == 0 and not values:
            values.append(0.0)
    return values


def _hotels(plan: Itinerary) -> set[str]:
    stops = (stop for stop in plan.stops if stop.kind == "activity" and stop.type in HOTEL_TYPES)
    return {stop.name.name() for stop in stops}


class Neighbours:
    """How far places are from those of each day, on the average. Days may be thousands, places a city's at most."""

    def __init__(self, days: Sequence[Sequence[NamedPoint]], distance: Distance) -> None:
        points = dict(named for day in days for named in day)
        places = list(points.values())
        position = {name: nth for nth, name in enumerate(points)}
        self._days = [np.array([position[name] for name, _ in day], int) for day in days]
        km = [[*map(distance, repeat(a), places)] for a in places]
        self._km = np.array(km, float).reshape(len(places), len(places))
        nowhere = np.full(len(points), np.inf)
        away = np.array(
            [_mean(self._km[:, day]) if day.size else nowhere for day in self._days] + [nowhere] * 2
        )
        self._nearest_day = away.argmin(axis=0)
        self._least, self._second = np.partition(away, 1, axis=0)[:2]

    def spreads(self, nth: int) -> list[float | None]:
        """Of the places of a day; None where one is alone on it, there is no other day, or that is no way off."""
        day = self._days[nth]
        away = np.where(self._nearest_day[day] == nth, self._second[day], self._least[day]).tolist()
        near = [
            km[others] for km, others in zip(self._km[day[:, None], day], day[:, None] != day, strict=True)
        ]
        return [
            float(_mean(km)) / far if km.size and far and far != math.inf else None
            for km, far in zip(near, away, strict=True)
        ]


def _mean(km: NDArray[np.float64]) -> NDArray[np.float64]:
    """Along the last axis: numpy's own takes thrice the time of its sum for the few places of a day."""
    return np.add.reduce(km, axis=-1) / km.shape[-1]  # type: ignore[no-any-return]


def percentile(values: Sequence[float], percent: float) -> float | None:
    """By linear interpolation; None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    at = (len(ordered) - 1) * percent / 100
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
