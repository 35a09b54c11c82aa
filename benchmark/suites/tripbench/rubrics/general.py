"""Requirements of the whole trip (ours: the paper's block repeats those of transport)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Self

from pydantic import model_validator

from benchmark.suites.tripbench.plans.schema import ATTRACTION, RESTAURANT, Activity
from benchmark.suites.tripbench.plans.trip import TINY, Trip, Visit, total_price
from benchmark.suites.tripbench.rubrics.base import Clock, Number, Rubric, clock_text, figures_text
from benchmark.suites.tripbench.rubrics.candidates import Candidates
from benchmark.suites.tripbench.rubrics.figures import move_bound, round_figure
from benchmark.suites.tripbench.rubrics.hotels import add_known
from benchmark.suites.tripbench.rubrics.restaurants import meal_cost

_MOST_SIGHTS = 3
_STARTS = (420, 450, 480, 510)
_ENDS = (1230, 1260, 1290, 1320)
_LEAST_WINDOW = 9 * 60
"""Minutes between the first visit and the last that are asked for at the least."""


class TotalBudget(Rubric):
    """What all products cost, and meals without any."""

    key = "general.total_budget"
    is_global = True
    a: Number

    def is_met(self, trip: Trip) -> bool:
        """Whether it is no more; a price that nobody knows fails."""
        cost = self._cost(trip)
        return cost is not None and cost <= self.a + TINY

    def read_trip(self, trip: Trip) -> str:
        """The cost."""
        return figures_text([self._cost(trip)])

    def _cost(self, trip: Trip) -> float | None:
        booked = [*(night.cost for night in trip.nights), *(leg.cost for leg in trip.legs)]
        meals = [meal_cost(meal, trip.people) for meal in trip.meals]
        return add_known([*booked, *meals, *map(_visit_cost, trip.visits)])

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        cost = candidates.trip_cost(random.uniform(0.5, 0.9))
        if cost is not None:
            yield {"a": round_figure(cost, up=True)}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        moved, least = move_bound(random, self.a, up=False), candidates.trip_cost(0.1)
        if least is not None and moved >= least:
            yield {"a": moved}


def _visit_cost(visit: Visit) -> float | None:
    bought = [(visit.place.product(one.id), one.number) for one in visit.activity.products]
    return total_price(tuple((product, count) for product, count in bought if product is not None))


class DailyAttractions(Rubric):
    """How many attractions a full day has."""

    key = "general.daily_attractions"
    is_global = True
    min: Number | None = None
    max: Number | None = None

    @model_validator(mode="after")
    def _check_arguments(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError("min and max are missing")
        return self

    def is_met(self, trip: Trip) -> bool:
        """Whether every full day has as many."""
        counts = self._counts(trip)
        low, high = self.min or 0, self.max
        return all(low - TINY <= count and (high is None or count <= high + TINY) for count in counts)

    def read_trip(self, trip: Trip) -> str:
        """How many each full day has."""
        return figures_text(self._counts(trip))

    def _counts(self, trip: Trip) -> list[int]:
        return [len(day.of_type(ATTRACTION)) for day in trip.plan.days if day.is_full]

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield random.choice(({"min": 1}, {"min": 2}, {"max": 3}, {"max": 4}, {"min": 1, "max": 4}))

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        """The step from one whole number to the next; more than 10 to 25 % where the number is small."""
        low, high = self.min or 0, self.max
        if high is not None and high - 1 >= max(low, 1):
            yield {"max": high - 1}
        elif high is None and low < _MOST_SIGHTS:
            yield {"min": low + 1}


def _visits_and_meals(trip: Trip) -> list[Activity]:
    return [item for _, item in trip.plan.of_type(ATTRACTION, RESTAURANT)]


class DayWindow(Rubric):
    """Between which times visits and meals are."""

    key = "general.day_window"
    is_global = True
    a: Clock
    b: Clock

    def is_met(self, trip: Trip) -> bool:
        """Whether each lies between them."""
        items = _visits_and_meals(trip)
        return all(int(self.a) <= item.start and item.end <= int(self.b) for item in items)

    def read_trip(self, trip: Trip) -> str:
        """When the first begins and the last ends."""
        items = _visits_and_meals(trip)
        ends = [min(item.start for item in items), max(item.end for item in items)] if items else []
        return "–".join(map(clock_text, ends))

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        first, last = random.choice(_STARTS), random.choice(_ENDS)
        yield {"a": clock_text(first), "b": clock_text(last)}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        first, last = int(self.a), int(self.b)
        moved = -(-(last - first) // 40) * 5
        if last - first - moved >= _LEAST_WINDOW:
            yield random.choice(({"a": clock_text(first + moved)}, {"b": clock_text(last - moved)}))
