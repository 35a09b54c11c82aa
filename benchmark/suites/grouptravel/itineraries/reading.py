"""A lenient typed reading of a plan: every part that can be understood, at its place, and never an exception.

The records are not frozen, for speed alone: nobody changes them.

Values of a wrong type read as absent. Participants, costs and times stay as written, and each part keeps the object
from which it was read (`source`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from benchmark.plans.clock import minutes

LEG = "intercity_transport"
HOTEL, REST, ATTRACTION, FOOD, TRANSIT = "hotel", "rest", "attraction", "food", "intracity_transport"
ALL = "All"
_EVERYONE = [ALL]

Label = int | str


@dataclass(slots=True, eq=False)
class Activity:
    """One activity of a block. `start`, `end`: minutes since midnight, None when not HH:MM.

    at: its place in the block's `activities`.
    duration: minutes from start to end, 0 when a time can't be read or the end is not after the start.
    shared: whether the whole group takes part.
    participants, cost, start_text, end_text: as written, None when missing.
    """

    at: int
    kind: str
    location: str
    start: int | None
    end: int | None
    duration: int
    start_text: Any
    end_text: Any
    shared: bool
    participants: Any
    cost: Any
    source: Mapping[str, Any]

    @property
    def origin(self) -> str:
        """Where a transport starts, "" when missing."""
        return _text(self.source.get("from"))

    @property
    def destination(self) -> str:
        """Where a transport leads, "" when missing."""
        return _text(self.source.get("to"))

    @property
    def place(self) -> str:
        """`location`, for a transport its destination; "" when missing."""
        return self.location or self.destination


@dataclass(slots=True, eq=False)
class Leg:
    """An inter-city leg; `at` is its place among the day's `city_segments`."""

    kind: ClassVar[str] = LEG

    at: int
    from_city: str
    to_city: str
    mode: str
    start: int | None
    end: int | None
    start_text: Any
    end_text: Any
    cost: Any
    source: Mapping[str, Any]


@dataclass(slots=True, eq=False)
class Block:
    """The activities of one stay in a city; `at` is its place among the day's `city_segments`."""

    at: int
    city: str
    activities: tuple[Activity, ...]
    source: Mapping[str, Any]


@dataclass(slots=True, eq=False)
class Day:
    """One day. `label` is the plan's own day number, else its place counted from 1. `date` is as written."""

    at: int
    label: Label
    date: Any
    segments: tuple[Leg | Block, ...]
    source: Mapping[str, Any]

    @property
    def blocks(self) -> list[Block]:
        return [s for s in self.segments if isinstance(s, Block)]

    @property
    def legs(self) -> list[Leg]:
        return [s for s in self.segments if isinstance(s, Leg)]


class Reading(NamedTuple):
    """A whole plan as read; entries that are no objects are left out, the others keep their place."""

    days: tuple[Day, ...]


def read_plan(plan: Any) -> Reading:
    """Read `plan` (a decoded JSON value of any shape)."""
    days = plan.get("days") if isinstance(plan, dict) else None
    return Reading(tuple([_day(i, d) for i, d in enumerate(_list(days)) if isinstance(d, dict)]))


def members(participants: Any, users: Sequence[str]) -> frozenset[str]:
    """Those of `users` who take part; missing, empty or exactly ["All"] participants mean everyone.

    A list is taken as it is, an object as its keys; a text holds every name that is a part of it.
    """
    if not participants or participants == _EVERYONE:
        return frozenset(users)
    if not isinstance(participants, (list, str, dict)):
        return frozenset()
    return frozenset([user for user in users if user in participants])


def _day(at: int, raw: dict[str, Any]) -> Day:
    label = raw.get("day")
    segments = [_segment(i, s) for i, s in enumerate(_list(raw.get("city_segments"))) if isinstance(s, dict)]
    named = label if isinstance(label, (int, str)) else at + 1
    return Day(at, named, raw.get("date"), tuple(segments), raw)


def _segment(at: int, raw: dict[str, Any]) -> Leg | Block:
    get = raw.get
    if get("type") == LEG:
        start, end = get("start_time"), get("end_time")
        cities = _text(get("from_city")), _text(get("to_city"))
        return Leg(
            at,
            *cities,
            _text(get("transport_mode")),
            minutes(start),
            minutes(end),
            start,
            end,
            get("avg_cost"),
            raw,
        )
    activities = [_activity(i, a) for i, a in enumerate(_list(get("activities"))) if isinstance(a, dict)]
    return Block(at, _text(get("city")), tuple(activities), raw)


def _activity(at: int, raw: dict[str, Any]) -> Activity:
    get = raw.get
    kind, location = get("type", ""), get("location", "")
    if not (type(kind) is type(location) is str):
        kind, location = _text(kind), _text(location)
    start_text, end_text, participants = get("start_time"), get("end_time"), get("participants")
    start, end = minutes(start_text), minutes(end_text)
    return Activity(
        at,
        kind,
        location,
        start,
        end,
        end - start if start is not None and end is not None and end > start else 0,
        start_text,
        end_text,
        not participants or participants == _EVERYONE,
        participants,
        get("avg_cost"),
        raw,
    )


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
