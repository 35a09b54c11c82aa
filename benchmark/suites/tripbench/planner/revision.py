"""What stays of the plan so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmark.plans.view import Plan
from benchmark.suites.tripbench.planner.problem import Problem
from benchmark.suites.tripbench.planner.stock import Stock
from benchmark.suites.tripbench.plans.schema import (
    ATTRACTION,
    LEG,
    PLAN,
    RESTAURANT,
    Activity,
    Day,
    form_faults,
    read_plan,
)

if TYPE_CHECKING:
    from benchmark.suites.tripbench.planner.drafting import Activities, Draft

Places = list[tuple[str, tuple[str, ...]]]


@dataclass
class Earlier:
    """The plan so far. ids: of all services, hotels, attractions and restaurants of it. left_out: a day that does not
    stay, -1 for none.
    """

    plan: Plan
    days: tuple[Day, ...]
    ids: frozenset[str]
    left_out: int = -1

    def days_that_fit(self, draft: Draft) -> dict[int, tuple[Activities, Places]]:
        """The days that can stay as they are, with the places that they take up, by their numbers in the trip.

        What is bought is changed where something else has to be.
        """
        fitting = dict[int, tuple[Any, Places]]()
        numbers = {date: number for number, date in enumerate(draft.problem.frame.dates)}
        taken = set[str]()
        for number, day in enumerate(self.days):
            at = numbers.get(day.date)
            if at is None or at == self.left_out or not self._has_same_ends(day, number, at, draft):
                continue
            told = self.plan[PLAN]["daily_schedule"][number]["activities"]
            activities = [*_fitting(draft.stock, day, told, draft.rides_by_day.get(at, []))]
            own = [
                (each["id"], each["type"])
                for each in activities
                if each and "id" in each and each["type"] != LEG
            ]
            again = draft.problem.repeatable
            if None in activities or any(id_ in taken and id_ not in again for id_, _ in own):
                continue
            taken |= {id_ for id_, _ in own}
            known = draft.problem.world.attractions_by_id
            names = [(id_, known[id_].categories if type_ == ATTRACTION else ()) for id_, type_ in own]
            fitting[at] = (activities, names)
        return fitting

    def _has_same_ends(self, day: Day, number: int, at: int, draft: Draft) -> bool:
        """Whether one takes the same services that day, and sleeps where one did."""
        rides = [ride.service.id for ride in draft.rides_by_day.get(at, [])]
        if [each.id for each in day.of_type(LEG)] != rides:
            return False
        nights = [night.hotel.id for night in draft.lodgings]
        own = [None if each.stay is None else each.stay.id for each in self.days]
        before = own[number - 1] if number else None
        return before == (nights[at - 1] if at else None) and (at >= len(nights) or own[number] == nights[at])


def _fitting(stock: Stock, day: Day, told: list[Any], rides: list[Any]) -> Iterator[dict[str, Any] | None]:
    """The activities with what is bought now; None for one that does not fit."""
    people, parameters = stock.problem.people, stock.problem.parameters
    tickets = {ride.service.id: ride.ticket.id for ride in rides}
    for activity, given in zip(day.activities, told, strict=True):
        if activity.type == LEG:
            yield {**given, "products": [{"id": tickets[activity.id], "quantity": people}]}
        elif activity.type == ATTRACTION:
            sight = stock.sight(activity.id)
            if sight is None or not _is_within(stock.problem, activity):
                yield None
            else:
                yield {**given, "products": _products(sight.purchases)}
        elif activity.type == RESTAURANT:
            eatery = stock.eatery(activity.id)
            span = (activity.start, activity.end)
            order = None if eatery is None else eatery.order_at(*span, people, parameters.hours_slack)
            if eatery is None or order is None or not _is_within(stock.problem, activity):
                yield None
                continue
            bought = {(each["id"], each["quantity"]) for each in given["products"]}
            stays = any({*each.purchases} == bought for each in eatery.orders)
            yield given if stays else {**given, "products": _products(order.purchases)}
        else:
            yield given


def _products(bought: tuple[tuple[str, int], ...]) -> list[dict[str, Any]]:
    return [{"id": id_, "quantity": count} for id_, count in bought]


def _is_within(problem: Problem, activity: Activity) -> bool:
    first, last = problem.visit_window
    return first <= activity.start and activity.end <= last


def read_earlier(plan: object, problem: Problem) -> Earlier | None:
    """The plan so far; None where it has not the right form."""
    if not isinstance(plan, Mapping) or any(form_faults(plan)):
        return None
    days = read_plan(plan).days
    stays = {day.stay.id for day in days if day.stay is not None}
    items = {activity.id for day in days for activity in day.activities if activity.id}
    return Earlier(dict(plan), days, frozenset(stays | items))
