"""Ways inside the city: how, how long, for how much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from benchmark.plans.ways import great_circle_km
from benchmark.suites.traveleval.baselines.brief import Brief
from sandbox.worlds.geo import Point

_WALK, _BICYCLE, _CAR, _METRO = "步行", "骑行", "驾车", "地铁"
_CAR_TAG = "自驾"
_WALKED_KM, _CYCLED_KM = 1.2, 8.0
_DETOUR = 1.3
"""Streets are longer than the way of a crow."""
_SPEEDS = {_WALK: 4.5, _BICYCLE: 12.0, _CAR: 28.0, _METRO: 30.0}
_WAITS = {_CAR: 10, _METRO: 12}
_FARE, _FUEL_A_KM, _PLACES_IN_A_CAR = 4.0, 1.0, 5


class Move(NamedTuple):
    """A way. minutes: whole ones. cost: CNY of all. details: as in an activity."""

    mode: str
    minutes: int
    cost: float
    details: Mapping[str, Any]


def move_between(brief: Brief, origin: Point | None, target: Point | None) -> Move:
    """A way from one point to another; one that is not known is half an hour off."""
    km = 5.0 if origin is None or target is None else great_circle_km(origin, target) * _DETOUR
    mode = _mode(brief, km)
    took = math.ceil(km / _SPEEDS[mode] * 60) + (_WAITS.get(mode, 0) if km else 0)
    details: dict[str, Any] = {"transport_time": took}
    if mode != _CAR:
        return Move(mode, took, _FARE * brief.people if mode == _METRO else 0.0, details)
    cars = -(-brief.people // (_PLACES_IN_A_CAR - 1))
    details |= {"load_limit": _PLACES_IN_A_CAR, "car_number": cars}
    return Move(mode, took, math.ceil(km * _FUEL_A_KM) * cars, details)


def _mode(brief: Brief, km: float) -> str:
    wishes = brief.query.transportation
    if km <= _WALKED_KM:
        return _WALK
    wants_bicycles = _BICYCLE in wishes.preferences or (brief.cycles and _BICYCLE not in wishes.constraints)
    if wants_bicycles and km <= _CYCLED_KM:
        return _BICYCLE
    return _CAR if _CAR_TAG in wishes.preferences and _CAR_TAG not in wishes.constraints else _METRO
