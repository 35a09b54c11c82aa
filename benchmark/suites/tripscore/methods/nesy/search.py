"""Depth-first search by a sketch: the legs of a journey, then for each day its hotel and its sights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, permutations
from time import monotonic
from typing import Final

from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.methods.nesy.concepts import Draft, needs_hotel
from benchmark.suites.tripscore.methods.nesy.statements import Program
from benchmark.suites.tripscore.methods.results import Line, Result, order_sights
from benchmark.suites.tripscore.planner.agent import write_plan
from benchmark.suites.tripscore.planner.days import (
    DayDraft,
    empty_days,
    is_open_for,
    least_stars,
    liked_hours,
    opens_late,
    strength_of,
)
from benchmark.suites.tripscore.planner.journeys import Course, journeys
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Attraction, Hotel

MOST_DAYS: Final = 31
_MOST_ORDERED: Final = 6
"""Cities of which all orders are compared."""
_MOST_JOURNEYS: Final = 12
_MOST_SIGHTS, _MOST_HOTELS = 4, 3
"""Of which the search chooses at one place of the sketch."""
_NO_LEG: Final = 10_000.0
Slot = tuple[int, int]
"""A stretch of a day and a period."""


@dataclass(frozen=True)
class Limits:
    """seconds, nodes: of a search. nodes_a_journey: before another journey is tried. plans: complete ones that are
    compared. relax: whether wishes are given up where nothing keeps all; else there is no plan then, as in the paper.
    """

    seconds: float = 60.0
    nodes: int = 6000
    nodes_a_journey: int = 800
    plans: int = 24
    relax: bool = False


class _Stop(Exception):
    """A limit is reached."""


@dataclass
class Search:
    """ranks: of sights by id, as a model recommends them; without one, kinds and distance decide."""

    program: Program
    limits: Limits
    ranks: Mapping[str, int] = field(default_factory=dict)
    nodes: int = 0
    _until: float = 0.0
    _most_nodes: int = 0
    _with_wishes: bool = True

    @property
    def task(self) -> Task:
        """As it was understood."""
        return self.program.request.task

    @property
    def _parameters(self) -> Parameters:
        return self.program.request.parameters

    def run(self) -> Result:
        """The best of the plans that are found, with what the search did."""
        begun, log = monotonic(), list[Line]()
        if self.task.query.days > MOST_DAYS:
            return Result(None, [Line.of("too_long", most=MOST_DAYS)])
        self._until = begun + self.limits.seconds
        course = course_of(self.task, self.program.order)
        log.append(
            Line.of("nesy_course", cities=" – ".join(course.stops), days=", ".join(map(str, course.days)))
        )
        for with_wishes in (True, False) if self.limits.relax else (True,):
            self._with_wishes, self.nodes = with_wishes, 0
            found = self._plans(course)
            log.append(self._report(found, monotonic() - begun))
            log += [
                Line.of("nesy_obstacle", text=one.text, count=one.broken) for one in self.program.obstacles(3)
            ]
            if found:
                best = max(found, key=lambda one: one[0])[1]
                return Result(write_plan(self.task, best), log)
        return Result(None, [*log, Line.of("nesy_no_plan")])

    def _report(self, found: Sequence[tuple[float, list[DayDraft]]], seconds: float) -> Line:
        faulty = sum(one.faulty for one in (*self.program.hard, *self.program.prefer))
        return Line.of(
            "nesy_searched" if self._with_wishes else "nesy_relaxed",
            nodes=self.nodes,
            plans=len(found),
            seconds=f"{seconds:.2f}",
            worth=f"{max(one[0] for one in found):.3f}" if found else "–",
            faulty=faulty,
        )

    def _plans(self, course: Course) -> list[tuple[float, list[DayDraft]]]:
        found: list[tuple[float, list[DayDraft]]] = []
        for moves in islice(journeys(self.task, course), _MOST_JOURNEYS):
            self._most_nodes = min(self.nodes + self.limits.nodes_a_journey, self.limits.nodes)
            draft = Draft(
                self.task, empty_days(self.task, moves, self._parameters), parameters=self._parameters
            )
            for day in draft.days:
                day.visits = [{} for _ in day.stretches]
            try:
                for _ in self._fill(draft, 1):
                    days = [_copy(day) for day in draft.days]
                    for at, day in enumerate(days):
                        order_sights(self.task, at, day, self._parameters)
                    found.append(
                        (self.program.worth(Draft(self.task, days, draft.count, self._parameters)), days)
                    )
                    if len(found) >= self.limits.plans:
                        return found
            except _Stop:
                pass
            if found or self.nodes >= self.limits.nodes or monotonic() > self._until:
                break
        return found

    # The sketch.

    def _fill(self, draft: Draft, number: int) -> Iterator[None]:
        if number > len(draft.days):
            if self._keeps("plan", draft, number - 1):
                yield
            return
        draft.count, day = number, draft.day(number)
        for hotel in self._hotels(draft, number) if self._keeps("step", draft, number) else ():
            day.hotel = hotel
            if self._keeps("night", draft, number):
                for _ in self._choose(draft, number, _slots(day)):
                    if self._keeps("day", draft, number):
                        yield from self._fill(draft, number + 1)
                        draft.count = number
        day.hotel, draft.count = None, number - 1

    def _choose(self, draft: Draft, number: int, slots: Sequence[Slot]) -> Iterator[None]:
        self._count_node()
        if not slots:
            yield
            return
        nth, period = slots[0]
        visits = draft.day(number).visits[nth]
        sights: list[Attraction | None] = list(self._sights(draft, number, nth, period))
        for sight in [None, *sights] if self._has_enough(draft, number) else [*sights, None]:
            if sight is None:
                yield from self._choose(draft, number, slots[1:])
                continue
            visits.setdefault(period, []).append(sight)
            if self._keeps("step", draft, number):
                yield from self._choose(draft, number, slots[1:])
            visits[period].pop()

    def _count_node(self) -> None:
        self.nodes += 1
        if self.nodes > self._most_nodes or monotonic() > self._until:
            raise _Stop

    def _keeps(self, on: str, draft: Draft, number: int) -> bool:
        return self.program.keeps(on, draft, number, with_wishes=self._with_wishes)  # type: ignore[arg-type]

    def _has_enough(self, draft: Draft, number: int) -> bool:
        seen = {sight.folded_city for sight in draft.every_sight()}
        low, high = liked_hours(self.task, bool(draft.day(number).legs), self._parameters)
        hours = sum(map(draft.stay, draft.sights(number)))
        return hours >= low + (high - low) / 2 and seen >= {*draft.cities_left(number)}

    # Candidates.

    def _hotels(self, draft: Draft, number: int) -> list[Hotel | None]:
        """The one of the night before in this city, then those of the wished class, the best first."""
        if not needs_hotel(draft, number):
            return [None]
        city, wish = draft.day(number).stretches[-1].city, self.task.query.preferences.budget
        kept = [day.hotel for day in draft.days[: number - 1] if day.hotel and day.hotel.folded_city == city]
        own = [hotel for hotel in self.task.reference.hotels if hotel.folded_city == city]
        least = least_stars(wish, self._parameters) if wish else 5.0

        def rank(hotel: Hotel) -> tuple[bool, bool, float]:
            stars = hotel.star or 0.0
            return hotel not in kept, stars < least and wish is not None, abs(stars - least)

        return [*sorted(own, key=rank)[:_MOST_HOTELS]]

    def _sights(self, draft: Draft, number: int, nth: int, period: int) -> list[Attraction]:
        day, taken = draft.day(number), {sight.id for sight in draft.every_sight()}
        request = self.program.request
        own = [
            (at, sight)
            for at, sight in enumerate(self.task.reference.attractions)
            if sight.folded_city == day.stretches[nth].city
            and sight.id not in taken | request.avoided_ids
            and is_open_for(sight, draft.when(number), period, self._parameters)
        ]
        own.sort(key=lambda one: self._strain(draft, number, one[0], one[1]))
        return [sight for _, sight in own[:_MOST_SIGHTS]]

    def _strain(self, draft: Draft, number: int, at: int, sight: Attraction) -> float:
        """Small for sights that are asked for, recommended, of a wished kind, and near those of the day."""
        wishes, before = self.task.query.preferences, draft.sights(number)
        strain = self.ranks.get(sight.id, len(self.ranks)) * 0.3 if self.ranks else at * 0.02
        strain -= 100.0 * (sight.id in self.program.request.must_ids)
        strain -= 3.0 * bool({*map(fold_name, wishes.attraction)} & sight.folded_tags)
        strain += 5.0 * (not before and opens_late(sight, draft.when(number), self._parameters))
        effort, strength = fold_name(wishes.effort or ""), strength_of(sight)
        if effort == "moderate":
            calm = not draft.strength(number - 1) and not draft.strength(number)
            strain += -4.0 * (calm and strength > 0) + 4.0 * (not calm and strength > 0)
        elif effort:
            strain += strength * (-4.0 if effort == "strenuous" else 8.0)
        near = [one.point for one in before if one.point and one.folded_city == sight.folded_city]
        if near and sight.point:
            strain += min(great_circle_km(point, sight.point) for point in near) / 3
        return strain


def _slots(day: DayDraft) -> list[Slot]:
    """A sight each in the mornings and afternoons of the stretches, then a second one, then the evening's."""
    open_ = [(nth, period) for nth, stretch in enumerate(day.stretches) for period in stretch.periods()]
    early = [slot for slot in open_ if slot[1] < 2]
    return [*early, *early, *(slot for slot in open_ if slot[1] == 2)]


def _copy(day: DayDraft) -> DayDraft:
    visits = [{period: [*sights] for period, sights in part.items() if sights} for part in day.visits]
    return DayDraft(day.stretches, day.moves, visits, day.hotel)


# Cities and days.


def course_of(task: Task, told: Sequence[str] = ()) -> Course:
    """Cities by direct legs, then by the time on the way, else as they are told; one day each, the rest in turn."""
    query = task.query
    stops = list(dict.fromkeys(told or query.folded_cities))
    home = query.folded_departure
    if not query.fixed_order and len(stops) <= _MOST_ORDERED:
        first = [home] if home in stops and home else []
        others = [city for city in stops if city not in first]
        orders = ([*first, *order] for order in permutations(others))
        stops = min(orders, key=lambda order: _strain_of(task, order))
    if query.days < len(stops):
        return Course(stops, [at * query.days // len(stops) for at in range(len(stops))], drives=True)
    rest = query.days - len(stops)
    counts = [1 + (rest + len(stops) - 1 - at) // len(stops) for at in range(len(stops))]
    return Course(stops, [sum(counts[:at]) for at in range(len(stops))], drives=True)


def _strain_of(task: Task, order: Sequence[str]) -> float:
    """Hours on the quickest legs of an order of cities; far more for each way without a leg."""
    query, home = task.query, task.query.folded_departure
    ends = [home] if home and query.leaves_from_outside else []
    way = [*ends, *order, *(ends if query.returns else [])]
    return sum(_quickest(task, one, other) for one, other in pairwise(way))


def _quickest(task: Task, origin: str, city: str) -> float:
    legs = [leg for leg in task.reference.transportation if leg.ends == (origin, city)]
    hours = [(leg.times[1] - leg.times[0]).total_seconds() / 3600 if leg.times else 2.0 for leg in legs]
    return min(hours, default=_NO_LEG)
