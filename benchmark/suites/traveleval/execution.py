"""A plan executed in time order in the world, with queues, ways and delays carried over (section 3.3 of the paper).

Hours count from midnight of the first day. An entry begins when it is planned, or when its travellers arrive if that
is later. A visit waits for the opening, queues by its real start, lasts as planned or until the queue and the least
recommended hours are over, and ends at closing time. Whoever arrives after closing goes on. A missed leg ends all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from operator import itemgetter
from typing import Literal, NamedTuple

from benchmark.plans.hours import Window
from benchmark.plans.view import Where
from benchmark.suites.traveleval.scoring.itinerary import ATTRACTION, Day, Itinerary, PlanRefused
from benchmark.suites.traveleval.scoring.paper.visits import hours_of_way
from benchmark.suites.traveleval.scoring.queue import Queues, base_minutes, time_factor
from benchmark.suites.traveleval.scoring.reading import DAY_H, Node, UndefinedFigure
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Sight, Tables

Outcome = Literal["done", "shortened", "skipped", "missed", "not_reached"]
Cause = Literal["", "queue", "way", "closed", "leg"]
_MINUTES, _SECOND = 60, 1 / 3600


class Period(NamedTuple):
    """start, end: hours since midnight of the first day."""

    start: float
    end: float


class Step(NamedTuple):
    """An entry of a plan, and what became of it.

    day: from 1. plan: None without readable times. real: None for what did not come about. queue: hours. cause: why
    it is late or not done.
    """

    at: Where
    day: int
    label: str
    kind: str
    plan: Period | None
    real: Period | None = None
    queue: float = 0.0
    outcome: Outcome = "done"
    cause: Cause = ""

    @property
    def late(self) -> float:
        """Hours by which it begins later than planned."""
        late = self.real.start - self.plan.start if self.real and self.plan else 0.0
        return late if late > _SECOND else 0.0


@dataclass(frozen=True)
class Execution:
    """steps: in time order. short_rooms: kinds of rooms of which the hotel has fewer than planned."""

    steps: tuple[Step, ...]
    short_rooms: tuple[str, ...] = ()

    @property
    def first_break(self) -> Step | None:
        """The first entry that did not come about as planned, None where all did."""
        return next((step for step in self.steps if step.late or step.outcome != "done"), None)

    def count(self, outcome: Outcome) -> int:
        """How many entries came to this."""
        return sum(step.outcome == outcome for step in self.steps)


def execute(plan: object, query: Query, tables: Tables, queues: Queues) -> Execution:
    """What becomes of a plan; nothing of one that can't be read."""
    try:
        own = Itinerary.read_leniently(plan, query, tables)
        journey = _Journey(own, queues)
        return Execution(tuple(map(journey.take, list(_entries(own)))), tuple(_short_rooms(own)))
    except (PlanRefused, UndefinedFigure, OverflowError):
        return Execution(())


class _Entry(NamedTuple):
    step: Step
    node: Node
    way: float


class _Journey:
    """Where the travellers are in time. free: since when they could go on; slow: whether a queue has kept them."""

    def __init__(self, plan: Itinerary, queues: Queues) -> None:
        self._plan, self._queues = plan, queues
        self._free: float | None = None
        self._slow, self._is_over = False, False

    def take(self, entry: _Entry) -> Step:
        """Go on to an entry."""
        step, arrival = entry.step, None if self._free is None else self._free + entry.way
        if self._is_over:
            return step._replace(outcome="not_reached", cause="leg")
        if step.plan is None:
            self._free = arrival
            return step
        start = step.plan.start
        if arrival is not None and arrival > start + _SECOND:
            start = arrival
        if step.kind == "leg":
            return self._ride(step, step.plan, late=start > step.plan.start)
        sight = self._sight(entry)
        return self._visit(step, sight, start) if sight else self._stay(step, step.plan, start)

    def _ride(self, step: Step, plan: Period, *, late: bool) -> Step:
        if late:
            self._is_over = True
            return step._replace(outcome="missed", cause=self._cause())
        self._free, self._slow = plan.end, False
        return step._replace(real=plan)

    def _stay(self, step: Step, plan: Period, start: float) -> Step:
        real = Period(start, start + plan.end - plan.start)
        cause = self._cause() if start > plan.start else ""
        self._free, self._slow = real.end, self._slow and start > plan.start
        return step._replace(real=real, cause=cause)

    def _visit(self, step: Step, sight: Sight, arrival: float) -> Step:
        assert step.plan is not None
        window = _opening(sight, arrival)
        if window is None:
            self._free = arrival
            return step._replace(outcome="skipped", cause="closed")
        start = max(arrival, window.start)
        cause: Cause = "closed" if start > arrival else self._cause() if start > step.plan.start else ""
        queue = self._queue(sight, start)
        length = step.plan.end - step.plan.start
        wished = start + max(length, queue + sight.least)
        end = min(wished, window.end)
        self._free = end
        self._slow = (queue > 0 and end > step.plan.end) or (self._slow and start > step.plan.start)
        outcome: Outcome = "shortened" if end < wished else "done"
        return step._replace(
            real=Period(start, end),
            queue=queue,
            outcome=outcome,
            cause="closed" if outcome == "shortened" and not cause else cause,
        )

    def _sight(self, entry: _Entry) -> Sight | None:
        name = entry.node.get("location_name").value
        is_visit = entry.step.kind == ATTRACTION and isinstance(name, str)
        return self._plan.city.sight.get(name) if is_visit else None

    def _queue(self, sight: Sight, start: float) -> float:
        """By the real start."""
        if not self._queues.counted:
            return 0.0
        day = self._plan.query.first_day + timedelta(days=int(start // DAY_H))
        factors = self._queues.date_factor(day) * time_factor(int(start % DAY_H))
        return base_minutes(sight) * factors / _MINUTES

    def _cause(self) -> Cause:
        return "queue" if self._slow else "way"


def _opening(sight: Sight, arrival: float) -> Period | None:
    """The opening hours in which somebody who arrives then gets in, or waits for; None where the day's are over."""
    opens, closes = (round(Node(time).clock() * _MINUTES) for time in (sight.opens, sight.closes))
    midnight = arrival // DAY_H * DAY_H
    window = Window.of_hours(opens, closes)
    for own in (window.evening_before, window):
        period = Period(midnight + own.start / _MINUTES, midnight + own.end / _MINUTES)
        if arrival < period.end and (own is window or period.start <= arrival):
            return period
    return None


def _entries(plan: Itinerary) -> Iterator[_Entry]:
    """Legs but the last, days in order, the last leg. Raises UndefinedFigure."""
    section = plan.plan.get("intercity_transport")
    has_legs = isinstance(section.value, dict) and section.get("transport_type").value
    legs = section.get("transport_type").items() if has_legs else []
    days = {day.number.integer(): day for day in plan.schedule}
    yield from (_entry(leg, 1, "leg") for leg in legs[:1])
    for number, day in sorted(days.items()):
        yield from _in_time_order([_entry(stop, number, _kind(stop)) for stop in _stops(day)])
    yield from (_entry(leg, max(days, default=1), "leg") for leg in legs[1:])


def _stops(day: Day) -> list[Node]:
    end = day.entry.get("ending_point")
    return [*day.activities, *([end] if isinstance(end.value, dict) else [])]


def _kind(stop: Node) -> str:
    kind = stop.get("type").value
    return kind if isinstance(kind, str) else "other"


def _in_time_order(entries: list[_Entry]) -> list[_Entry]:
    """What has no readable times stays behind what stands before it."""
    keys, last = [], 0.0
    for entry in entries:
        last = entry.step.plan.start if entry.step.plan else last
        keys.append(last)
    return [entry for _, entry in sorted(zip(keys, entries, strict=True), key=itemgetter(0))]


def _entry(node: Node, day: int, kind: str) -> _Entry:
    name = node.get("location_name").value
    label = name if isinstance(name, str) else ""
    way = 0.0 if kind == "leg" else hours_of_way(node)
    return _Entry(Step(node.at, day, label, kind, _plan_of(node, day)), node, way)


def _plan_of(node: Node, day: int) -> Period | None:
    try:
        start, end = (node.need(key).clock() for key in ("start_time", "end_time"))
    except UndefinedFigure:
        return None
    midnight = (day - 1) * DAY_H
    return Period(midnight + start, midnight + end + (DAY_H if end < start else 0.0))


def _short_rooms(plan: Itinerary) -> Iterator[str]:
    """Raises nothing: rooms that can't be read are not flagged."""
    try:
        section = plan.plan.need("accommodation")
        hotel = plan.city.hotel.get(section.need("hotel_name").name())
        rooms = [
            (room.need("type").text(), room.need("quantity").number())
            for room in section.need("room_type").items()
        ]
    except UndefinedFigure:
        return
    for kind, count in rooms if hotel else ():
        stocks = [room.stock for name, room in hotel.rooms.items() if name in kind] if hotel else []
        if stocks and count > stocks[0]:
            yield kind
