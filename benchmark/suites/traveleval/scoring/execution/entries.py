"""The entries of a plan in time order. One that can't be read is left out, and the others stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

from benchmark.plans.view import Where
from benchmark.suites.traveleval.scoring.execution.steps import Cause, Outcome, Period, Step
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.paper.visits import hours_of_way
from benchmark.suites.traveleval.scoring.reading import DAY_H, Node, UndefinedFigure

LEG = "leg"
_MOST_DAYS = 1000
_LONGEST_WAY = 1000.0
"""Hours; more can't be meant."""


class Entry(NamedTuple):
    """A part of a plan that is executed, as a step has it. way: hours of the move to it."""

    at: Where
    day: int
    label: str
    kind: str
    plan: Period | None
    way: float

    def make_step(
        self, outcome: Outcome, real: Period | None = None, queue: float = 0.0, cause: Cause = ""
    ) -> Step:
        """What became of it."""
        return Step(self.at, self.day, self.label, self.kind, self.plan, real, queue, outcome, cause)


def entries_of(plan: Itinerary) -> tuple[list[Entry], list[Where]]:
    """The first leg, days in order, the other legs; and where things are that can't be read."""
    unread: list[Where] = []
    legs = [*_objects(plan.plan, ("intercity_transport", "transport_type"), unread)]
    days = dict(sorted(_days(plan.plan, unread), key=itemgetter(0)))  # of a repeated day the last
    listed = [_entry(leg, 1, LEG) for leg in legs[:1]]
    for number, day in days.items():
        listed += _in_time_order([_entry(stop, number, _kind(stop)) for stop in _stops(day, unread)])
    listed += [_entry(leg, max(days, default=1), LEG) for leg in legs[1:]]
    return listed, unread


def _objects(owner: Node, keys: Iterable[str], unread: list[Where]) -> Iterator[Node]:
    """The objects of a list below an object; what is missing or null has none."""
    try:
        for key in keys:
            owner = owner.get(key, {})
        listed = owner.items() if owner.value is not None else []
    except UndefinedFigure as error:
        unread.append(error.at)
        return
    for item in listed:
        if isinstance(item.value, dict):
            yield item
        else:
            unread.append(item.at)


def _days(plan: Node, unread: list[Where]) -> Iterator[tuple[int, Node]]:
    """Days by their numbers; one without a number is left out, as by the metrics."""
    for day in _objects(plan, ["daily_plans"], unread):
        number = day.get("day")
        try:
            if number.value is not None and abs(number.integer()) <= _MOST_DAYS:
                yield number.integer(), day
                continue
        except UndefinedFigure:
            pass
        unread.append(number.at)


def _stops(day: Node, unread: list[Where]) -> Iterator[Node]:
    yield from _objects(day, ["activities"], unread)
    end = day.get("ending_point")
    if isinstance(end.value, dict):
        yield end


def _kind(stop: Node) -> str:
    kind = stop.get("type").value
    return kind if isinstance(kind, str) else "other"


def _in_time_order(entries: list[Entry]) -> list[Entry]:
    """What has no readable times stays behind what stands before it."""
    keys, last = [], 0.0
    for entry in entries:
        last = entry.plan.start if entry.plan else last
        keys.append(last)
    return [entry for _, entry in sorted(zip(keys, entries, strict=True), key=itemgetter(0))]


def _entry(node: Node, day: int, kind: str) -> Entry:
    name = node.get("location_name").value
    label = name if isinstance(name, str) else ""
    way = 0.0 if kind == LEG else hours_of_way(node)
    return Entry(node.at, day, label, kind, _period_of(node, day), way if way <= _LONGEST_WAY else 0.0)


def _period_of(node: Node, day: int) -> Period | None:
    try:
        start, end = node.need("start_time").clock(), node.need("end_time").clock()
    except (UndefinedFigure, OverflowError):
        return None
    midnight = (day - 1) * DAY_H
    return Period(midnight + start, midnight + end + (DAY_H if end < start else 0.0))
