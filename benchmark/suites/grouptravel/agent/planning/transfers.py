"""What it costs each to get from one place of a city to another, and the calls that tell it."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from benchmark.core.actions import ToolCall
from benchmark.suites.grouptravel.agent.planning.geography import WALK, Atlas, written_point
from benchmark.suites.grouptravel.agent.planning.knowledge import Drive, Knowledge
from benchmark.suites.grouptravel.agent.planning.schedule import Ride

_SEATS = 4
"""For passengers, in a car with a driver."""
_FLAG_CNY, _FLAG_KM, _CNY_PER_KM = 12.0, 3.0, 2.5
"""What a taxi takes in a large Chinese city: at the start, for how far, and for each kilometre more."""
_UNKNOWN_KM = 10.0


class Transfers:
    """Walks are free; a taxi's fare is shared by those who ride in it.

    The tools tell how far it is, and of the cost only fuel and tolls, which a taxi takes at least.
    """

    def __init__(self, known: Knowledge, atlas: Atlas) -> None:
        self._known, self._atlas = known, atlas

    def cost(self, ride: Ride, people: int) -> float:
        """CNY a person, by the distance as told, else as estimated."""
        if self._walked(ride):
            return 0.0
        told = self._told(ride)
        fare = _fare(self._estimated_km(ride) if told is None else told.kilometres)
        car = max(fare, told.cost or 0.0) if told else fare
        return round(car * ceil(people / _SEATS) / people, 1)

    def calls(self, rides: Iterable[Ride]) -> tuple[ToolCall, ...]:
        """The routes that tell what these rides cost."""
        ends = (self._ends(ride) for ride in rides if not self._walked(ride))
        distinct = dict.fromkeys(found for found in ends if found)
        return tuple(
            ToolCall("plan_route", {"origin": origin, "destination": destination, "mode": "driving"})
            for origin, destination in distinct
        )

    def _walked(self, ride: Ride) -> bool:
        return self._atlas.mode(ride.origin, ride.target) == WALK

    def _told(self, ride: Ride) -> Drive | None:
        ends = self._ends(ride)
        return self._known.drives.get(ends) if ends else None

    def _estimated_km(self, ride: Ride) -> float:
        road = self._atlas.road_km(ride.origin, ride.target)
        return _UNKNOWN_KM if road is None else road

    def _ends(self, ride: Ride) -> tuple[str, str] | None:
        """The points as plan_route takes them; None where one is not known."""
        a, b = self._atlas.point(ride.origin), self._atlas.point(ride.target)
        return (written_point(a), written_point(b)) if a and b else None


def _fare(kilometres: float) -> float:
    return _FLAG_CNY + _CNY_PER_KM * max(0.0, kilometres - _FLAG_KM)
