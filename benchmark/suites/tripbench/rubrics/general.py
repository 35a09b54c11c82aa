"""Requirements of the whole trip (ours: the paper's block repeats those of transport)."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from benchmark.suites.tripbench.plans.schema import ATTRACTION, RESTAURANT
from benchmark.suites.tripbench.plans.trip import TINY, Trip, Visit, total_price
from benchmark.suites.tripbench.rubrics.base import Clock, Number, Rubric
from benchmark.suites.tripbench.rubrics.hotels import add_known
from benchmark.suites.tripbench.rubrics.restaurants import meal_cost


class TotalBudget(Rubric):
    """What all products cost, and meals without any."""

    key = "general.total_budget"
    is_global = True
    a: Number

    def is_met(self, trip: Trip) -> bool:
        """Whether it is no more; a price that nobody knows fails."""
        booked = [*(night.cost for night in trip.nights), *(leg.cost for leg in trip.legs)]
        meals = [meal_cost(meal, trip.people) for meal in trip.meals]
        cost = add_known([*booked, *meals, *map(_visit_cost, trip.visits)])
        return cost is not None and cost <= self.a + TINY


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
        counts = [len(day.of_type(ATTRACTION)) for day in trip.plan.days if day.is_full]
        low, high = self.min or 0, self.max
        return all(low - TINY <= count and (high is None or count <= high + TINY) for count in counts)


class DayWindow(Rubric):
    """Between which times visits and meals are."""

    key = "general.day_window"
    is_global = True
    a: Clock
    b: Clock

    def is_met(self, trip: Trip) -> bool:
        """Whether each lies between them."""
        items = [item for _, item in trip.plan.of_type(ATTRACTION, RESTAURANT)]
        return all(int(self.a) <= item.start and item.end <= int(self.b) for item in items)
