"""Fills the time of a day between two places with sights and meals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from benchmark.plans.hours import DAY
from benchmark.suites.tripbench.planner.choices import Act, Choices, Style
from benchmark.suites.tripbench.planner.items import Eatery, Sight
from benchmark.suites.tripbench.planner.problem import km_between, start_within
from benchmark.suites.tripbench.planner.walk import Walk
from benchmark.suites.tripbench.plans.schema import ATTRACTION, HOTEL, RESTAURANT
from benchmark.suites.tripbench.plans.trip import TINY
from sandbox.toolsets.tripbench.records import Hotel
from sandbox.worlds.geo import Point

LUNCH: Final = (11 * 60, 14 * 60)
DINNER: Final = (17 * 60, 20 * 60 + 30)
"""When meals begin."""
_LUNCH_FROM, _DINNER_FROM = LUNCH[0] - 15, DINNER[0] - 20
_MEAL_MIN: Final = 60
_REST_MIN: Final = 20
_NEED_WORTH, _LIKING_WORTH = 500, 200
_MOST_EATERIES: Final = 40


class Filling(Walk):
    """A day that is being filled."""

    def __init__(self, choices: Choices, style: Style, hotel: Hotel | None, *, is_full: bool) -> None:
        super().__init__(choices, style, hotel, is_full=is_full)
        self._meal_names = set[str]()

    @property
    def _slack(self) -> float:
        return self.parameters.hours_slack if self.style.is_loose else 0

    def fill(
        self,
        sights: Sequence[Sight],
        eateries: Sequence[Eatery],
        end: Point,
        deadline: int,
        visits: int,
        meals: int,
    ) -> None:
        """Visits and eats on the way to a place where one must be in time.

        visits, meals: how many at most.
        """
        if self.place is None:
            return
        while True:
            if self.meals < meals and self._eat_now(eateries, end, deadline):
                continue
            if self.visits < visits and self._visit(sights, end, deadline):
                continue
            if self._may_visit_more and self._visit(sights, end, deadline, only_needed=True):
                continue
            if self.meals < meals and self._eat(eateries, end, deadline, DINNER):
                continue
            if self.is_full and not self.meals and self._rest_and_eat(eateries, end, deadline):
                continue
            return

    def _eat_now(self, eateries: Sequence[Eatery], end: Point, deadline: int) -> bool:
        if "lunch" not in self._meal_names and _LUNCH_FROM <= self.time <= LUNCH[1]:
            return self._eat(eateries, end, deadline, LUNCH)
        return self.time >= _DINNER_FROM and self._eat(eateries, end, deadline, DINNER)

    def _rest_and_eat(self, eateries: Sequence[Eatery], end: Point, deadline: int) -> bool:
        """Rests at the hotel until dinner, where no restaurant is near or open."""
        if self.hotel is None or not self.acts or self.acts[-1].type == HOTEL:
            return False
        if self.time + self.way(self.hotel.point) + 5 > DINNER[1]:
            return False
        until = max(DINNER[0] - 20, self.time + self.way(self.hotel.point) + _REST_MIN)
        self.enter(self.hotel, until)
        return self._eat(eateries, end, deadline, DINNER)

    def _eat(self, eateries: Sequence[Eatery], end: Point, deadline: int, period: tuple[int, int]) -> bool:
        if ("lunch" if period == LUNCH else "dinner") in self._meal_names or self.place is None:
            return False
        first, last = self.problem.visit_window
        wanted = self.choices.open_places(self.choices.cuisines)
        low, high = self.parameters.meal
        minutes = math.floor(max(low, min(high, _MEAL_MIN)))
        minutes = minutes if minutes >= low else math.ceil(low)
        best: tuple[float, str, Eatery, int] | None = None
        near = sorted(
            (km, eatery.id, eatery)
            for eatery in eateries
            if self.choices.is_free(eatery.id)
            and (km := km_between(self.place, eatery.point)) <= self.parameters.meal_km
        )
        must = [each for each in near if each[1] in wanted or each[1] in self.choices.favourites]
        cheap = sorted(near, key=lambda each: (each[2].cost or 0, each[1])) if self.choices.thrift else []
        for km, id_, eatery in (*must, *cheap[:_MOST_EATERIES], *near[:_MOST_EATERIES]):
            way = 0 if km <= self.parameters.same_place_km else self.problem.minutes(self.place, eatery.point)
            ready = max(self.time + way, first, period[0])
            back = self.problem.minutes(eatery.point, end)
            found = start_within(eatery.spans, ready, minutes, min(last, deadline - back), self._slack)
            if found is None or found[0] > period[1] or not self._may_wait(found[0] - self.time - way, way):
                continue
            order = eatery.order_at(found[0], found[0] + minutes, self.problem.people, self._slack)
            if order is None:
                continue
            score = way + 0.5 * (found[0] - self.time - way) - 5 * (eatery.place.stars or 0)
            score -= _NEED_WORTH * (id_ in wanted) + _LIKING_WORTH * (id_ in self.choices.favourites)
            score += 0.0 if not self.choices.thrift else (order.cost or 0)
            if best is None or (score, id_) < best[:2]:
                best = (score, id_, eatery, found[0])
        if best is None:
            return False
        *_, eatery, start = best
        order = eatery.order_at(start, start + minutes, self.problem.people, self._slack)
        self._go_to(eatery.point, eatery.place.name, start)
        self.do(
            Act(
                *(RESTAURANT, start, start + minutes, eatery.point, eatery.place.name),
                *(eatery.id, order.purchases if order else ()),
            )
        )
        self.meals += 1
        self._meal_names.add("lunch" if period == LUNCH else "dinner")
        self._take_place(eatery.id)
        return True

    def _may_wait(self, wait: int, way: int) -> bool:
        """Before the first thing of a day one leaves the hotel later."""
        if self.acts:
            return wait <= (self.parameters.gap_max if self.is_full else 2 * self.parameters.gap_max)
        late = self.time + wait - math.floor(self.parameters.day_start[1])
        return not self.is_full or (late <= self.parameters.gap_max and (late <= 0 or way > 0))

    def _go_to(self, point: Point, name: str, start: int) -> None:
        """To what begins then."""
        if self.acts:
            self.go(point, name)
            return
        latest = math.floor(self.parameters.day_start[1]) if self.is_full else DAY
        self.go(point, name, min(start, latest + self.way(point)))

    def _take_place(self, id_: str, names: tuple[str, ...] = ()) -> None:
        self.places.append((id_, names))
        self.choices.add(id_, names)

    @property
    def _may_visit_more(self) -> bool:
        """Whether there may be one more sight than usual: what is needed may open in the evening alone."""
        return not self.is_full or self.visits < self.problem.visit_counts[1]

    def _visit(
        self, sights: Sequence[Sight], end: Point, deadline: int, *, only_needed: bool = False
    ) -> bool:
        assert self.place is not None
        choices, last_meal = self.choices, bool(self.acts) and self.acts[-1].type == RESTAURANT
        first, last = self.problem.visit_window
        wanted = choices.open_places(choices.needs)
        if only_needed:
            sights = [sight for sight in sights if sight.id in wanted]
        least_visits = self.problem.visit_counts[0] if self.is_full else 0
        reserved, nothing = choices.reservations(), Counter[str]()
        blocked = [pair for each in sights if each.id in wanted for pair in choices.blocks(each, nothing)]
        best: tuple[float, str, Sight, int, int] | None = None
        for sight in sights:
            if not choices.is_free(sight.id):
                continue
            km, is_wanted = km_between(self.place, sight.point), sight.id in wanted
            if km > self.style.radius * (1 if self.visits else 2.5) and not is_wanted:
                continue
            if (last_meal and km > self.parameters.meal_km) or not self._is_near_hotel(sight):
                continue
            if choices.blocks(sight, nothing if is_wanted else reserved):
                continue
            if choices.thrift > 1 and sight.cost and not is_wanted and self.visits >= least_visits:
                continue
            way = 0 if km <= self.parameters.same_place_km else self.problem.minutes(self.place, sight.point)
            latest = min(last, deadline - self.problem.minutes(sight.point, end))
            ready = max(self.time + way, first)
            least = self._shortest(sight)
            found = start_within(sight.spans, ready, least, latest, self._slack)
            if found is None or not self._may_wait(found[0] - self.time - way, way):
                continue
            start, until = found
            usual = least if self.style.is_short else sight.usual
            stop = self._stop(start, min(until, start + max(usual, least)), least)
            score = way + 0.5 * (start - self.time - way) - 12 * min(5.0, sight.place.rating or 4)
            score -= (
                1.5 * (sight.place.heat or 0)
                + _NEED_WORTH * is_wanted
                + _LIKING_WORTH * (sight.id in choices.favourites)
            )
            score += 0.0 if not choices.thrift else (sight.cost or 0)
            score -= _LIKING_WORTH * any(
                first in (names := sight.place.categories) and then not in names for first, then in blocked
            )
            if best is None or (score, sight.id) < best[:2]:
                best = (score, sight.id, sight, start, stop)
        if best is None:
            return False
        *_, sight, start, stop = best
        self._go_to(sight.point, sight.place.name, start)
        self.do(Act(ATTRACTION, start, stop, sight.point, sight.place.name, sight.id, sight.purchases))
        self.visits += 1
        self._take_place(sight.id, sight.place.categories)
        return True

    def _shortest(self, sight: Sight) -> int:
        """Minutes that a visit takes at the least: as recommended, or as the rules allow."""
        hours = sight.place.visit_hours
        usual = math.ceil(hours[0] * 60) if hours else _MEAL_MIN
        if self.style.is_short:
            usual = min(usual, 60)
        return min(max(sight.least, usual), sight.most)

    @staticmethod
    def _stop(start: int, stop: int, least: int) -> int:
        """The end of a visit, which leaves time for meals where that is possible."""
        for begins, last in ((11 * 60 + 15, LUNCH[1] - 45), (16 * 60 + 30, DINNER[1] - 90)):
            if start <= begins and stop > last:
                return max(last, start + least)
        return stop

    def _is_near_hotel(self, sight: Sight) -> bool:
        if self.choices.hotel_km == math.inf:
            return True
        return self.hotel is not None and (
            km_between(self.hotel.point, sight.point) <= self.choices.hotel_km + TINY
        )
