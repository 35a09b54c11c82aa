"""How far a plan goes around (spatiality, in km)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, repeat
from statistics import fmean

import numpy as np

from benchmark.plans.ways import great_circle_km, length_km, shortest_km
from benchmark.suites.traveleval.scoring.itinerary import HOTEL_TYPES, Itinerary, Stop
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure, keep_answers
from benchmark.suites.traveleval.scoring.results import Result
from sandbox.worlds.geo import Point

Distance = Callable[[Point, Point], float]
"""Kilometres from one point to another."""
NamedPoint = tuple[str, Point]
_FEW = 8
"""Numbers that numpy adds up one after the other; more it adds up in another order."""


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
    hotels, near = _hotels(plan), neighbours(days, distance)
    values: list[float] = []
    for nth, (day, spread) in enumerate(zip(days, near, strict=True)):
        values += [spread[name] or 0.0 for name, _ in day if name not in hotels]
        if nth == 0 and not values:
            values.append(0.0)
    return values


def _hotels(plan: Itinerary) -> set[str]:
    stops = (stop for stop in plan.stops if stop.kind == "activity" and stop.type in HOTEL_TYPES)
    return {stop.name.name() for stop in stops}


def neighbours(days: Sequence[Sequence[NamedPoint]], distance: Distance) -> list[Mapping[str, float | None]]:
    """By day: how near each place is to the others of the day, against those of the nearest other day.

    None where one is alone on its day, there is no other day, or that is no way off. Days may be thousands, places a
    city's at most.
    """
    points = dict(named for day in days for named in day)
    names = [[name for name, _ in day] for day in days]
    found: list[dict[str, float | None]] = [dict.fromkeys(day) for day in names]
    of_place: dict[str, list[int]] = {name: [] for name in points}
    for nth, places in enumerate(found):
        for name in places:
            of_place[name].append(nth)
    for name, point in points.items():
        km = dict(zip(points, map(distance, repeat(point), points.values()), strict=True))
        means = [sum(map(km.__getitem__, day)) / len(day) if day else math.inf for day in names]
        least, second = sorted((*means, math.inf))[:2]
        for nth in of_place[name]:
            near = [km[other] for other in names[nth] if other != name]
            far = second if means[nth] == least else least
            if near and far and far != math.inf:
                found[nth][name] = _sum(near) / len(near) / far
    return [*found]


def _sum(km: Sequence[float]) -> float:
    """As numpy adds them up, which takes longer for a few."""
    return sum(km) if len(km) < _FEW else float(np.add.reduce(km))


def percentile(values: Sequence[float], percent: float) -> float | None:
    """By linear interpolation; None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    at = (len(ordered) - 1) * percent / 100
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
