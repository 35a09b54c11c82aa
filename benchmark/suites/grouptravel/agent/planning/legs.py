"""Ways from one city to the next: services that tools returned, or a drive where there is none or it is liked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import timedelta

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import distance_km, written_point
from benchmark.suites.grouptravel.agent.planning.knowledge import Drive, Knowledge, Service
from benchmark.suites.grouptravel.agent.planning.tastes import Taste

DRIVE = "自驾"
WAKING, EARLY = 8 * 60, 0.6
"""Nobody likes to leave before eight: what an hour earlier costs, in utility."""
_LATEST_ARRIVAL = 22 * 60 + 45
_UNKNOWN_KM = 400.0
_DRIVE_KMH, _DRIVE_CNY_PER_KM, _SEATS = 80.0, 1.1, 5
_LONGEST_DRIVE, _EASY_DRIVE = 15 * 60, 10 * 60
_PERIODS = (
    (0, 7 * 60 + 30),
    (7 * 60 + 30, 9 * 60),
    (9 * 60, 12 * 60),
    (12 * 60, 15 * 60),
    (15 * 60, 18 * 60),
    (18 * 60, 24 * 60),
)


def options(
    brief: Brief,
    known: Knowledge,
    tastes: Sequence[Taste],
    origin: str,
    destination: str,
    day: int,
    home: bool,
) -> list[Service]:
    """Sensible ways to go on that day, the quickest and the cheapest of each mode and part of the day.

    home: the last leg, which alone may arrive on a later day. Never empty: a drive is always possible.
    """
    date = (brief.start + timedelta(days=day)).isoformat()
    running = known.between(origin, destination, date)
    sameday = [s for s in running if s.day_offset == 0 and (home or s.arrive <= _LATEST_ARRIVAL)]
    usable = [s for s in sameday if s.depart >= 6 * 60] or sameday
    if not usable and home:
        usable = [s for s in running if s.day_offset]
    chosen, driven = _distinct(usable), drives(brief, known, origin, destination)
    if any(taste.ride_points(DRIVE) > 0 for taste in tastes):
        chosen += [drive for drive in driven if drive.duration <= _EASY_DRIVE]
    return chosen or driven


def _distinct(services: Iterable[Service]) -> list[Service]:
    best: dict[tuple[str, int, str], Service] = {}
    for service in services:
        period = next(i for i, (low, high) in enumerate(_PERIODS) if low <= service.depart < high)
        for kind, better in (("quick", _quicker), ("cheap", _cheaper)):
            before = best.get((service.mode, period, kind))
            if before is None or better(service, before):
                best[(service.mode, period, kind)] = service
    return list(dict.fromkeys(best.values()))


def _quicker(a: Service, b: Service) -> bool:
    return (a.duration, a.price, a.depart) < (b.duration, b.price, b.depart)


def _cheaper(a: Service, b: Service) -> bool:
    return (a.price, a.duration, a.depart) < (b.price, b.duration, b.depart)


def drives(brief: Brief, known: Knowledge, origin: str, destination: str) -> list[Service]:
    """Drives that begin early, at noon and late; times and cost from plan_route, else estimated from the distance."""
    road = _road(known, origin, destination)
    length = road.minutes or road.kilometres / _DRIVE_KMH * 60
    needed = min(_LONGEST_DRIVE, max(30, math.ceil(length / 5) * 5))
    people = max(1, brief.head_count)
    car = road.kilometres * _DRIVE_CNY_PER_KM if road.cost is None else road.cost
    price = round(car * math.ceil(people / _SEATS) / people, 1)
    starts = [start for start in (7 * 60, 12 * 60 + 30, 16 * 60) if start + needed <= _LATEST_ARRIVAL]
    return [
        Service(DRIVE, "", origin, destination, start, start + needed, 0, needed, price) for start in starts
    ]


def _road(known: Knowledge, origin: str, destination: str) -> Drive:
    """The drive as a tool told it, else by the distance, in no known time."""
    starts, ends = _spots_in(known, origin), _spots_in(known, destination)
    for (start, end), told in known.drives.items():
        if start in starts and end in ends:
            return told
    a, b = city_point(known, origin), city_point(known, destination)
    return Drive(max(20.0, distance_km(a, b) * 1.3) if a and b else _UNKNOWN_KM, 0.0, None)


def _spots_in(known: Knowledge, city: str) -> set[str]:
    """Every point that was told of a city, as routes are asked for: more are told after a route was asked for."""
    points = (known.points.get(city), *(place.point for place in known.places.get(city, {}).values()))
    return {written_point(point) for point in points if point}


def city_point(known: Knowledge, city: str) -> tuple[float, float] | None:
    """Where a city is: as geocoded, else where the first of its known places is."""
    points = (place.point for place in known.places.get(city, {}).values())
    return known.points.get(city) or next((point for point in points if point), None)
