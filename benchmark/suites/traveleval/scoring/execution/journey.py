"""A plan executed in time order in the world, with queues, ways and delays carried over (section 3.3 of the paper).

Hours count from midnight of the first day. An entry begins when it is planned, or when its travellers arrive if that
is later. A visit waits for the opening, queues by its real start, lasts as planned or until the queue and the least
recommended hours are over, and ends at closing time. Whoever arrives after closing goes on. A missed leg ends all.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from benchmark.suites.traveleval.scoring.execution.entries import LEG, Entry, entries_of
from benchmark.suites.traveleval.scoring.execution.steps import SECOND, Cause, Execution, Period, Step
from benchmark.suites.traveleval.scoring.itinerary import ATTRACTION, Itinerary
from benchmark.suites.traveleval.scoring.paper.visits import windows_of
from benchmark.suites.traveleval.scoring.queue import Queues
from benchmark.suites.traveleval.scoring.reading import DAY_H, UndefinedFigure
from benchmark.suites.traveleval.world import Sight

_MINUTES = 60
_ENDLESS_PERIOD = Period(float("-inf"), float("inf"))


def execute(plan: Itinerary, queues: Queues) -> Execution:
    """What becomes of a plan; nothing of one that is no object."""
    if not isinstance(plan.plan.value, dict):
        return Execution((), unread_parts=((),))
    entries, unread = entries_of(plan)
    journey = _Journey(plan, queues)
    return Execution(tuple(map(journey.take, entries)), tuple(_short_rooms(plan)), tuple(unread))


class _Journey:
    """Where the travellers are in time. free: since when they could go on; cause: what has made them late last."""

    def __init__(self, plan: Itinerary, queues: Queues) -> None:
        self._plan, self._queues = plan, queues
        self._free: float | None = None
        self._cause: Cause = "way"
        self._is_over = False

    def take(self, entry: Entry) -> Step:
        """Go on to an entry."""
        arrival = None if self._free is None else self._free + entry.way
        plan = entry.plan
        if self._is_over:
            return entry.make_step("not_reached", cause="leg")
        if plan is None:
            self._free = arrival
            return entry.make_step("untimed")
        start = self._start(plan.start, arrival)
        if entry.kind == LEG:
            return self._ride(entry, plan, start)
        sight = self._plan.city.sight.get(entry.label) if entry.kind == ATTRACTION else None
        return self._visit(entry, plan, sight, start) if sight else self._stay(entry, plan, start)

    def _start(self, planned: float, arrival: float | None) -> float:
        """When an entry can begin. Whoever is in time again is late for another reason next time."""
        if arrival is not None and arrival > planned + SECOND:
            return arrival
        self._cause = "way"
        return planned

    def _ride(self, entry: Entry, plan: Period, start: float) -> Step:
        if start > plan.start:
            self._is_over = True
            return entry.make_step("missed", cause=self._cause)
        self._free = plan.end
        return entry.make_step("done", plan)

    def _stay(self, entry: Entry, plan: Period, start: float) -> Step:
        end = self._free = start + plan.length
        return entry.make_step("done", Period(start, end), cause=self._cause if start > plan.start else "")

    def _visit(self, entry: Entry, plan: Period, sight: Sight, arrival: float) -> Step:
        window = _opening(sight, plan.start, arrival)
        if window is None:
            self._free = arrival
            return entry.make_step("skipped", cause="closed")
        start = max(arrival, window.start)
        if start > arrival + SECOND:
            self._cause = "closed"
        queue, length = self._queue(sight, start), plan.length
        least = queue + sight.least
        wished = start + max(length, least)
        end = self._free = min(wished, window.end)
        cause: Cause = self._cause if start > plan.start else ""
        if queue and sight.least <= length < least - SECOND:
            self._cause = "queue"
        real = Period(start, end)
        if end >= wished - SECOND:
            return entry.make_step("done", real, queue, cause)
        return entry.make_step("shortened", real, queue, cause or "closed")

    def _queue(self, sight: Sight, start: float) -> float:
        """Hours by the real start."""
        if not self._queues.counted:
            return 0.0
        days, hour = divmod(start + SECOND, DAY_H)
        try:
            day = self._plan.query.first_day + timedelta(days=int(days))
        except OverflowError:  # years after the calendar's last
            return 0.0
        return self._queues.minutes(sight, day, int(hour)) / _MINUTES


def _opening(sight: Sight, planned: float, arrival: float) -> Period | None:
    """The opening hours of the planned day in which somebody who arrives then gets in, or waits for; None where they
    are over.
    """
    evening_before, window, _next_day = windows_of(sight.opens, sight.closes)
    if window.is_whole_day:
        return _ENDLESS_PERIOD
    midnight = planned // DAY_H * DAY_H
    for own in (evening_before, window):
        period = Period(midnight + own.start / _MINUTES, midnight + own.end / _MINUTES)
        if arrival < period.end - SECOND and (own is window or period.start <= arrival):
            return period
    return None


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
