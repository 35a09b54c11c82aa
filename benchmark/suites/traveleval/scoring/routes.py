"""How far a plan goes around (spatiality, in km)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from benchmark.plans.ways import great_circle_km, length_km, shortest_km
from benchmark.suites.traveleval.scoring.itinerary import HOTEL_TYPES, Itinerary, Stop
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure
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
    names = [stop.name.name() for stop in stops]
    return [(name, plan.city.points[name]) for name in names if name in plan.city.points]


def way_between_visits(plan: Itinerary, distance: Distance) -> Result:
    """The mean kilometres between neighbouring attractions of a day. Raises UndefinedFigure where no day has two."""
    days = [known_points(plan, (stop for stop in day.stops if stop.is_visit)) for day in plan.schedule]
    ways = [distance(a, b) for day in days for (_, a), (_, b) in pairwise(day)]
    if not ways:
        raise UndefinedFigure(("daily_plans",))
    return Result(fmean(ways))


def roundabout(plan: Itinerary, distance: Distance) -> Result:
    """SSR (formula 13): how much longer the way of a day is than the shortest one by the same points."""
    try:
        days = [[point for _, point in known_points(plan, day.stops)] for day in plan.schedule]
    except UndefinedFigure:
        return Result(0.0)
    if distance not in plan.surpluses:
        plan.surpluses[distance] = [_surplus(points, distance) for points in days]
    surpluses = plan.surpluses[distance]
    rows = [{"at": day.entry.at, "surplus": own} for day, own in zip(plan.schedule, surpluses, strict=True)]
    return Result(fmean(surpluses) if surpluses else 0.0, rows=rows)


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
        values += [neighbours.spread(nth, name) or 0.0 for name, _ in own if name not in hotels]
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
        self._position = {name: nth for nth, name in enumerate(points)}
        self._km = np.array([[distance(a, b) for b in points.values()] for a in points.values()], float)
        self._days = [np.array([self._position[name] for name, _ in day], int) for day in days]
        self._least, self._second = np.full(len(points), np.inf), np.full(len(points), np.inf)
        self._nearest_day = np.full(len(points), -1)
        for nth, day in enumerate(self._days):
            if day.size:
                self._add_day(nth, self._km[:, day].mean(axis=1))

    def _add_day(self, nth: int, km: NDArray[np.float64]) -> None:
        nearer = km < self._least
        self._second = np.where(nearer, self._least, np.minimum(self._second, km))
        self._least = np.minimum(self._least, km)
        self._nearest_day[nearer] = nth

    def spread(self, day: int, name: str) -> float | None:
        """None where the place is alone on its day, there is no other day, or that is no way off."""
        place = self._position[name]
        away = (self._second if self._nearest_day[place] == day else self._least)[place]
        others = self._days[day][self._days[day] != place]
        if not others.size or not away or not np.isfinite(away):
            return None
        return float(self._km[place, others].mean() / away)


def percentile(values: Sequence[float], percent: float) -> float | None:
    """By linear interpolation; None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    at = (len(ordered) - 1) * percent / 100
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
