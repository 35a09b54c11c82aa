"""The journeys there and back (step 3 of appendix A.4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from benchmark.plans.clock import minutes
from benchmark.plans.ways import great_circle_km
from benchmark.suites.traveleval.baselines.brief import Brief
from benchmark.suites.traveleval.tasks.query import Tags
from benchmark.suites.traveleval.world import Ride
from sandbox.worlds.geo import Point

_MODE_TAGS = ("飞机", "高铁")
_LATEST_ARRIVAL, _EARLIEST_LEAVING = 20 * 60, 9 * 60
_VISIT = 90
"""Minutes that a sight takes at least, with the way to it."""
_DAY, _HOUR = 24 * 60, 60


class Journey(NamedTuple):
    """The two rides."""

    outward: Ride
    homeward: Ride

    @property
    def cost(self) -> float:
        """CNY of a person."""
        return self.outward.cost + self.homeward.cost


def departs(ride: Ride) -> int:
    """Minutes since midnight."""
    return minutes(ride.departs) or 0


def arrives(ride: Ride) -> int:
    """Minutes since the midnight before it departs."""
    return departs(ride) + round(ride.hours * 60)


def rides_from(brief: Brief, *, back: bool) -> list[Ride]:
    """All that go one way."""
    start, target = brief.query.start_city, brief.query.target_city
    return brief.tables.rides(target, start) if back else brief.tables.rides(start, target)


def _suitable(rides: Iterable[Ride], wishes: Tags) -> list[Ride]:
    wanted = [tag for tag in wishes.preferences if tag in _MODE_TAGS]
    return [
        ride for ride in rides if ride.kind not in wishes.constraints and (not wanted or ride.kind in wanted)
    ]


def choose_journey(
    brief: Brief,
    ends: Sequence[Point | None] = (None, None),
    *,
    keep_wishes: bool = True,
    closes: int = _DAY,
    opens: int = 0,
) -> Journey | None:
    """The cheapest rides at the hubs nearest to the first and the last sight; None where there are none.

    ends: where these sights are, None for a hub anywhere. closes: when the first sight closes, opens: when the last
    one opens (minutes). Wishes that no ride meets are left out, times that none has too.
    """
    latest, earliest = min(closes - _VISIT, _LATEST_ARRIVAL), max(opens + _VISIT, _EARLIEST_LEAVING)
    found: list[Ride] = []
    for back, point in zip((False, True), ends, strict=True):
        rides = rides_from(brief, back=back)
        rides = (_suitable(rides, brief.query.transportation) if keep_wishes else rides) or rides
        if not rides:
            return None
        in_time = [ride for ride in rides if _fits(ride, earliest if back else None, latest)]
        hub: Callable[[Ride], str] = (lambda ride: ride.origin) if back else (lambda ride: ride.destination)
        found.append(_cheapest(in_time or [*_least_bad(rides, back=back)], hub, brief, point))
    return Journey(*found)


def choose_cheapest_journey(brief: Brief) -> Journey | None:
    """The cheapest rides at any time by which one arrives an hour before one leaves; None where there are none."""
    outward = sorted(rides_from(brief, back=False), key=_price)
    homeward = sorted(rides_from(brief, back=True), key=_price)
    leaves = (brief.days - 1) * _DAY
    journeys = [
        Journey(there, back)
        for there in outward
        if (back := next((b for b in homeward if arrives(there) + _HOUR <= leaves + departs(b)), None))
    ]
    return min(journeys, key=lambda own: own.cost, default=None)


def _price(ride: Ride) -> tuple[float, float, str, str]:
    return ride.cost, ride.hours, ride.number, ride.departs


def _fits(ride: Ride, earliest: int | None, latest: int) -> bool:
    """Whether it arrives in time, or leaves late enough and arrives on the same day."""
    return arrives(ride) <= latest if earliest is None else departs(ride) >= earliest and arrives(ride) < _DAY


def _least_bad(rides: Sequence[Ride], *, back: bool) -> Iterable[Ride]:
    """Those that arrive on the day of departure, else all: the earliest there, the latest back."""
    same_day = [ride for ride in rides if arrives(ride) < _DAY] or rides
    yield max(same_day, key=departs) if back else min(same_day, key=arrives)


def _cheapest(rides: Sequence[Ride], hub: Callable[[Ride], str], brief: Brief, point: Point | None) -> Ride:
    points = brief.city.points

    def distance(ride: Ride) -> float:
        if point is None:
            return 0.0
        return great_circle_km(points[hub(ride)], point) if hub(ride) in points else math.inf

    nearest = min(map(distance, rides))
    at_hub = [ride for ride in rides if distance(ride) == nearest]
    return min(at_hub, key=_price)
