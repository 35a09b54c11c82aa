"""A lenient typed reading of a plan: every part that can be understood, at its place, and never an exception.

Values of a wrong type read as absent; the raw value stays where a rule has to look at it (participants, costs,
times as written).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmark.itineraries.clock import minutes

LEG = "intercity_transport"
HOTEL, REST, ATTRACTION, FOOD, TRANSIT = "hotel", "rest", "attraction", "food", "intracity_transport"
ALL = "All"

Label = int | str


class Activity(NamedTuple):
    """One activity of a block. `start`, `end`: minutes since midnight, None when not HH:MM.

    index: its place in the block's `activities`. place: `location`, for a transport `to`; "" when missing.
    participants, cost: as written, None when missing.
    """

    index: int
    kind: str
    location: str
    origin: str
    destination: str
    start: int | None
    end: int | None
    start_text: Any
    end_text: Any
    participants: Any
    cost: Any

    @property
    def place(self) -> str:
        return self.location or self.destination

    @property
    def timed(self) -> bool:
        """Both times can be read and the end comes after the start."""
        return self.start is not None and self.end is not None and self.end > self.start

    @property
    def duration(self) -> int:
        """Minutes from start to end; 0 when unknown or not positive."""
        return self.end - self.start if self.start is not None and self.end is not None and self.timed else 0


class Leg(NamedTuple):
    """An inter-city leg; `index` is its place among the day's `city_segments`."""

    index: int
    from_city: str
    to_city: str
    mode: str
    start: int | None
    end: int | None
    start_text: Any
    end_text: Any
    cost: Any


class Block(NamedTuple):
    """The activities of one stay in a city; `index` is its place among the day's `city_segments`."""

    index: int
    city: str
    activities: tuple[Activity, ...]


class Day(NamedTuple):
    """One day. `label` is the plan's own day number, else its place counted from 1. `date` is as written."""

    index: int
    label: Label
    date: Any
    segments: tuple[Leg | Block, ...]

    @property
    def blocks(self) -> list[Block]:
        return [s for s in self.segments if isinstance(s, Block)]

    @property
    def legs(self) -> list[Leg]:
        return [s for s in self.segments if isinstance(s, Leg)]


class Reading(NamedTuple):
    """A whole plan as read; entries that are no objects are left out, the others keep their index."""

    days: tuple[Day, ...]


def read_plan(plan: Any) -> Reading:
    """Read `plan` (a decoded JSON value of any shape)."""
    days = plan.get("days") if isinstance(plan, dict) else None
    return Reading(tuple(_day(i, d) for i, d in enumerate(_list(days)) if isinstance(d, dict)))


def everyone(participants: Any) -> bool:
    """Missing, empty or exactly ["All"] participants mean the whole group."""
    return not participants or participants == [ALL]


def members(participants: Any, users: Sequence[str]) -> frozenset[str]:
    """Those of `users` who take part. A list is taken as it is; a bare string holds the names that it contains."""
    if everyone(participants):
        return frozenset(users)
    if not isinstance(participants, list | str | dict):
        return frozenset()
    return frozenset(user for user in users if user in participants)


def _day(index: int, raw: dict[str, Any]) -> Day:
    label = raw.get("day")
    segments = [_segment(i, s) for i, s in enumerate(_list(raw.get("city_segments"))) if isinstance(s, dict)]
    return Day(index, label if isinstance(label, int | str) else index + 1, raw.get("date"), tuple(segments))


def _segment(index: int, raw: dict[str, Any]) -> Leg | Block:
    get = raw.get
    if get("type") == LEG:
        start, end = get("start_time"), get("end_time")
        cities = _text(get("from_city")), _text(get("to_city"))
        return Leg(
            index, *cities, _text(get("transport_mode")), minutes(start), minutes(end), start, end, get("avg_cost")
        )
    activities = [_activity(i, a) for i, a in enumerate(_list(get("activities"))) if isinstance(a, dict)]
    return Block(index, _text(get("city")), tuple(activities))


def _activity(index: int, raw: dict[str, Any]) -> Activity:
    get = raw.get
    start, end = get("start_time"), get("end_time")
    return Activity(
        index,
        _text(get("type")),
        _text(get("location")),
        _text(get("from")),
        _text(get("to")),
        minutes(start),
        minutes(end),
        start,
        end,
        get("participants"),
        get("avg_cost"),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
