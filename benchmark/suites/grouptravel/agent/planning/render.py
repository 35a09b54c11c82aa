"""The itinerary in the published schema, from a searched trip, and what its ways inside cities cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from math import ceil
from typing import Any

from benchmark.core.actions import ToolCall
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import WALK, Atlas, written_point
from benchmark.suites.grouptravel.agent.planning.hours import clock_text
from benchmark.suites.grouptravel.agent.planning.knowledge import Drive, Knowledge, Service
from benchmark.suites.grouptravel.agent.planning.schedule import (
    Block,
    Item,
    Ride,
    Timeline,
    Visit,
    timeline,
)
from benchmark.suites.grouptravel.agent.planning.spots import Spot
from benchmark.suites.grouptravel.agent.planning.trip import Trip

_SEATS = 4
"""For passengers, in a car with a driver."""
_FLAG_CNY, _FLAG_KM, _CNY_PER_KM = 12.0, 3.0, 2.5
"""What a taxi takes in a large Chinese city: at the start, for how far, and for each kilometre more."""
_UNKNOWN_KM = 10.0
_UP = "08:00"
_REST_FROM = 60
_TimedActivity = tuple[int, int, int, dict[str, Any]]
"""Start, end, who, and the activity."""


class Transfers:
    """Walks are free; a taxi's fare is shared by those who ride in it.

    The tools tell how far it is, and of the cost only fuel and tolls, which a taxi takes at least.
    """

    def __init__(self, known: Knowledge, atlas: Atlas) -> None:
        self._knowledge, self._atlas = known, atlas

    def cost(self, ride: Ride, people: int) -> float:
        """CNY a person, by the distance as told, else as estimated."""
        if self._walked(ride):
            return 0.0
        told = self._drive_of(ride)
        fare = _fare(self._estimated_km(ride) if told is None else told.kilometres)
        car = max(fare, told.cost or 0.0) if told else fare
        return round(car * ceil(people / _SEATS) / people, 1)

    def calls(self, rides: Iterable[Ride]) -> tuple[ToolCall, ...]:
        """The routes that tell what these rides cost."""
        ends = (self._ends(ride) for ride in rides if not self._walked(ride))
        distinct = dict.fromkeys(both_ends for both_ends in ends if both_ends)
        return tuple(
            ToolCall("plan_route", {"origin": origin, "destination": destination, "mode": "driving"})
            for origin, destination in distinct
        )

    def _walked(self, ride: Ride) -> bool:
        return self._atlas.mode(ride.origin, ride.target) == WALK

    def _drive_of(self, ride: Ride) -> Drive | None:
        ends = self._ends(ride)
        return self._knowledge.drives.get(ends) if ends else None

    def _estimated_km(self, ride: Ride) -> float:
        road = self._atlas.road_km(ride.origin, ride.target)
        return _UNKNOWN_KM if road is None else road

    def _ends(self, ride: Ride) -> tuple[str, str] | None:
        """The points as plan_route takes them; None where one is not known."""
        a, b = self._atlas.point(ride.origin), self._atlas.point(ride.target)
        return (written_point(a), written_point(b)) if a and b else None


def _fare(kilometres: float) -> float:
    return _FLAG_CNY + _CNY_PER_KM * max(0.0, kilometres - _FLAG_KM)


class Renderer:
    """Writes a trip; `travellers` are the names in the order of the bits."""

    def __init__(
        self,
        brief: Brief,
        travellers: Sequence[str],
        spots: Sequence[Sequence[Spot]],
        atlas: Atlas,
        transfers: Transfers,
    ) -> None:
        self._brief, self._travellers = brief, tuple(travellers)
        self._spots, self._atlas, self._transfers = spots, atlas, transfers
        self._full = (1 << len(self._travellers)) - 1

    def itinerary(self, trip: Trip) -> dict[str, Any]:
        """The plan object: {"days": [...]}."""
        return {"days": [self._day(trip, day) for day in range(self._brief.days)]}

    def rides(self, trip: Trip) -> Iterator[Ride]:
        """Every way inside a city."""
        for block, items in zip(trip.blocks, trip.items, strict=True):
            timed = self._timeline_of(block, items)
            yield from timed.rides if timed else ()

    def _timeline_of(self, block: Block, items: Sequence[Item]) -> Timeline | None:
        return timeline(block, items, self._spots[block.city], self._atlas, self._full)

    def _day(self, trip: Trip, day: int) -> dict[str, Any]:
        segments: list[dict[str, Any]] = []
        for block, items in zip(trip.blocks, trip.items, strict=True):
            if block.day == day:
                if day == trip.frame.days[block.city]:
                    segments += self._leg(trip, block.city)
                segments += self._block(trip, block, items)
        if day == self._brief.days - 1:
            segments += self._leg(trip, len(trip.frame.order))
        date = self._brief.start + timedelta(days=day)
        return {"day": day + 1, "date": date.isoformat(), "city_segments": segments}

    def _leg(self, trip: Trip, index: int) -> list[dict[str, Any]]:
        ride: Service | None = trip.frame.rides[index]
        if ride is None:
            return []
        stops = (self._brief.departure_city, *trip.frame.order, self._brief.departure_city)
        return [
            {
                "type": "intercity_transport",
                "from_city": stops[index],
                "to_city": stops[index + 1],
                "transport_mode": ride.mode,
                "start_time": clock_text(ride.depart),
                "end_time": clock_text(ride.arrive),
                "avg_cost": _money(ride.price),
            }
        ]

    def _block(self, trip: Trip, block: Block, items: Sequence[Item]) -> list[dict[str, Any]]:
        timed = self._timeline_of(block, items)
        if timed is None:
            return []
        stretches = [self._visit(block, visit) for visit in timed.visits]
        stretches += [self._ride(ride) for ride in timed.rides]
        stretches.sort(key=lambda stretch: (stretch[0], stretch[1]))
        activities = [activity for _, _, _, activity in self._with_rests(stretches)]
        hotel = trip.hotels[block.city]
        if block.sleeps and hotel is not None:
            arrived = max(timed.end, max((visit.end for visit in timed.visits), default=block.start))
            activities.append(
                {
                    "type": "hotel",
                    "location": hotel.name,
                    "start_time": clock_text(arrived),
                    "end_time": _UP,
                    "avg_cost": _money(hotel.cost),
                }
            )
        return [{"city": trip.frame.order[block.city], "activities": activities}] if activities else []

    def _visit(self, block: Block, visit: Visit) -> _TimedActivity:
        spot = self._spots[block.city][visit.spot]
        activity = {
            "type": "food" if spot.meal else "attraction",
            "location": spot.place.name,
            "start_time": clock_text(visit.start),
            "end_time": clock_text(visit.end),
            "participants": self._names(visit.mask),
            "avg_cost": _money(spot.cost),
        }
        return visit.start, visit.end, visit.mask, activity

    def _ride(self, ride: Ride) -> _TimedActivity:
        names = self._atlas.names
        activity = {
            "type": "intracity_transport",
            "from": names[ride.origin],
            "to": names[ride.target],
            "transport_mode": self._atlas.mode(ride.origin, ride.target),
            "start_time": clock_text(ride.start),
            "end_time": clock_text(ride.end),
            "participants": self._names(ride.mask),
            "avg_cost": _money(self._transfers.cost(ride, self._heads(ride.mask))),
        }
        return ride.start, ride.end, ride.mask, activity

    def _with_rests(self, stretches: Sequence[_TimedActivity]) -> list[_TimedActivity]:
        """An hour or more in which nobody has anything to do is free time."""
        activities: list[_TimedActivity] = []
        free = stretches[0][1] if stretches else 0
        for stretch in stretches:
            if stretch[0] - free >= _REST_FROM:
                activities.append((free, stretch[0], self._full, _rest(free, stretch[0])))
            activities.append(stretch)
            free = max(free, stretch[1])
        return activities

    def _heads(self, mask: int) -> int:
        """How many go; those without a name here (young children) go where all go."""
        named = mask.bit_count()
        return max(named, self._brief.head_count) if mask == self._full else named

    def _names(self, mask: int) -> list[str]:
        if mask == self._full:
            return ["All"]
        return [name for u, name in enumerate(self._travellers) if mask >> u & 1]


def _rest(start: int, end: int) -> dict[str, Any]:
    return {
        "type": "rest",
        "start_time": clock_text(start),
        "end_time": clock_text(end),
        "participants": ["All"],
    }


def _money(value: float) -> int | float:
    return int(value) if value == int(value) else round(value, 2)
