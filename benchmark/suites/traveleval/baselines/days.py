"""The hours of one day: sights in their order inside opening hours, meals at noon and in the evening (step 4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from benchmark.plans.ways import great_circle_km, shortest_order
from benchmark.suites.traveleval.baselines.brief import Brief
from benchmark.suites.traveleval.baselines.meals import MEAL, Menu, opening_of
from benchmark.suites.traveleval.baselines.moves import Move, move_between
from benchmark.suites.traveleval.world import Sight, Tavern
from sandbox.worlds.geo import Point

_GENEROSITIES: Final = (1.0, 0.5, 0.0)
"""How much of the time beyond the least is spent at a sight: the most with which no sight is left out."""
_LONGEST_WAIT, _SHORTEST = 60, 15
_MEALS: Final = ((11 * 60 + 30, 13 * 60 + 30), (17 * 60 + 30, 19 * 60 + 30))
"""The earliest and latest begin of lunch and dinner."""
_EVENING = 17 * 60


class Frame(NamedTuple):
    """What surrounds a day. origin, goal: names. begin: the minute when it starts; limit: when it must be over."""

    number: int
    origin: str
    goal: str
    begin: int
    limit: int


class Stop(NamedTuple):
    """A visit or a meal. begin, end: minutes."""

    place: Sight | Tavern
    move: Move
    begin: int
    end: int


class DayPlan(NamedTuple):
    """stops in their order. home: the way to the goal, on which one sets out at `leaves`."""

    frame: Frame
    stops: Sequence[Stop]
    home: Move
    leaves: int
    menu: Menu


def plan_day(brief: Brief, frame: Frame, sights: Sequence[Sight], menu: Menu) -> DayPlan:
    """The day with as many of the sights as fit, then with as much time for them as can be."""
    order = _order(brief, frame, sights)
    plans = [_Walk(brief, frame, menu, generosity).visit_all(order) for generosity in _GENEROSITIES]
    return max(plans, key=lambda plan: sum(isinstance(stop.place, Sight) for stop in plan.stops))


def _order(brief: Brief, frame: Frame, sights: Sequence[Sight]) -> list[Sight]:
    """The shortest way, sights of the evening last."""
    opens = {sight.name: opening_of(sight.opens, sight.closes)[0] for sight in sights}
    points = brief.city.points
    known = [sight.point for sight in sights]
    stops = [points.get(frame.origin, known[0]), *known, points.get(frame.goal, known[-1])] if known else []
    order = shortest_order(stops, great_circle_km) or ()
    ordered = [sights[at - 1] for at in order if 0 < at <= len(sights)]
    return sorted(ordered, key=lambda sight: opens[sight.name] >= _EVENING)


@dataclass
class _Walk:
    """Goes through a day with a clock."""

    brief: Brief
    frame: Frame
    menu: Menu
    generosity: float
    stops: list[Stop] = field(default_factory=list)

    def __post_init__(self) -> None:
        points = self.brief.city.points
        self.goal = points.get(self.frame.goal)
        self.position: Point | None = points.get(self.frame.origin) or self.goal
        self.clock = self.frame.begin
        self.meals = [(first, last) for first, last in _MEALS if last >= self.clock]

    def visit_all(self, sights: Sequence[Sight]) -> DayPlan:
        """The day after all sights, meals and the way to the goal."""
        for sight in sights:
            self._eat_before(sight)
            if stop := self._visit(sight):
                self._go(stop)
        while self.meals:
            self._eat(*self.meals.pop(0), onward=self.goal)
        home = move_between(self.brief, self.position, self.goal)
        return DayPlan(self.frame, self.stops, home, self.clock, self.menu)

    def _visit(self, sight: Sight) -> Stop | None:
        """None where it does not fit."""
        move = move_between(self.brief, self.position, sight.point)
        opens, closes = opening_of(sight.opens, sight.closes)
        begin = max(self.clock + move.minutes, opens)
        least, most = (math.ceil(hours * 60) for hours in (sight.least, max(sight.least, sight.most)))
        queued = math.ceil(self.brief.queue_minutes(sight, self.frame.number, begin))
        needed = max(min(most, least + queued), _SHORTEST)
        end = begin + needed + int(max(most - needed, 0) * self.generosity)
        waits = begin - self.clock - move.minutes
        fits = end <= closes and waits <= _LONGEST_WAIT and self._is_home_in_time(sight.point, end)
        return Stop(sight, move, begin, end) if fits else None

    def _eat_before(self, sight: Sight) -> None:
        """A meal whose time would be over after the sight."""
        while self.meals:
            first, last = self.meals[0]
            stop = self._visit(sight)
            if self.clock < first and (stop is None or stop.end + MEAL // 2 <= last):
                return
            self.meals.pop(0)
            self._eat(first, last, onward=sight.point)

    def _eat(self, first: int, last: int, onward: Point | None) -> None:
        if self.position is None or onward is None or self.clock > last:
            return
        tavern = self.menu.choose(self.position, onward, max(self.clock, first))
        if tavern is None:
            return
        move = move_between(self.brief, self.position, tavern.point)
        begin = max(self.clock + move.minutes, first)
        closes = opening_of(tavern.opens, tavern.closes)[1]
        if begin <= last and begin + MEAL <= closes and self._is_home_in_time(tavern.point, begin + MEAL):
            self.menu = self.menu.after(tavern)
            self._go(Stop(tavern, move, begin, begin + MEAL))

    def _is_home_in_time(self, point: Point, end: int) -> bool:
        return end + move_between(self.brief, point, self.goal).minutes <= self.frame.limit

    def _go(self, stop: Stop) -> None:
        self.stops.append(stop)
        self.clock, self.position = stop.end, stop.place.point
