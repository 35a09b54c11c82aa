"""Approach B, which costs no more than the budget (appendix A.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from benchmark.suites.traveleval.baselines.brief import Brief
from benchmark.suites.traveleval.baselines.meals import Menu
from benchmark.suites.traveleval.baselines.plans import UnmetBudget, lacks_beds, plan_days
from benchmark.suites.traveleval.baselines.rides import (
    Journey,
    choose_cheapest_journey,
    choose_journey,
)
from benchmark.suites.traveleval.baselines.sights import choose_sights, most_of_a_ticket, share_by_day
from benchmark.suites.traveleval.baselines.stays import Stay, choose_cheapest_stay, choose_nearest_stay
from benchmark.suites.traveleval.baselines.writing import Plan, write_plan
from benchmark.suites.traveleval.tasks.query import Query
from benchmark.suites.traveleval.world import Sight, Tables

_NIGHTLY_SAVING, _RIDE_SAVING = 30, 300
"""CNY of a person for which B gives up a wish: a night, and a leg."""
_SHARES = (1.0, 0.9, 0.5)
"""Of what B has left, how much is tried for a nearer hotel: other ways and meals cost something too."""
_SHARES_OF_MEALS = (1.0, 0.5)
"""Of what is left for meals, how much is tried."""


class Waiver(NamedTuple):
    """What B gives up. tickets: sights that are not free. manners: times of day for rides, rooms without spare beds,
    and the metro for what a bicycle does. meals: how much of what beds and rides leave they may cost.
    """

    hotel: bool = False
    rides: bool = False
    tickets: bool = False
    cuisines: bool = False
    manners: bool = False
    meals: float = math.inf


def plan_within_budget(query: Query, tables: Tables, seed: int = 0) -> Plan | UnmetBudget:
    """Approach B: rides, meals and tickets are cheap; wishes are given up one by one until the budget holds."""
    costs = []
    brief = Brief(query, tables)
    for waiver in _waivers(brief):
        draft = _draft_with(brief, waiver, seed)
        if draft is None:
            break
        if draft.cost <= query.budget:
            return draft.in_nearest_hotel().plan
        costs.append(draft.cost)
    return UnmetBudget(min(costs, default=None))


def _waivers(brief: Brief) -> Iterator[Waiver]:
    """Nothing at first, then the wishes that cost much, then all, then manners."""
    yield Waiver()
    stays = [choose_cheapest_stay(brief, (), keep_wishes=keep) for keep in (True, False)]
    rides = [choose_journey(brief, keep_wishes=keep) for keep in (True, False)]
    hotel = _saving(stays) > _NIGHTLY_SAVING * brief.people
    if hotel:
        yield Waiver(hotel=True)
    if _saving(rides) > 2 * _RIDE_SAVING:
        yield Waiver(hotel, rides=True)
    yield Waiver(hotel=True, rides=True)
    yield Waiver(hotel=True, rides=True, tickets=True)
    for meals in (math.inf, *_SHARES_OF_MEALS):
        yield Waiver(hotel=True, rides=True, tickets=True, cuisines=True, meals=meals)
    for meals in _SHARES_OF_MEALS:
        yield Waiver(hotel=True, rides=True, tickets=True, cuisines=True, manners=True, meals=meals)


def _saving(choices: Sequence[Stay | Journey | None]) -> float:
    """By how much the second is cheaper than the first."""
    dear, cheap = choices
    return dear.cost - cheap.cost if dear and cheap else 0.0


@dataclass(frozen=True)
class _Draft:
    """A plan of B with what it is made of."""

    brief: Brief
    waiver: Waiver
    journey: Journey
    stay: Stay | None
    sights_by_day: Sequence[Sequence[Sight]]

    @cached_property
    def plan(self) -> Plan:
        """In the released schema."""
        waiver, brief = self.waiver, self.brief
        menu = Menu(
            brief,
            cheap=True,
            missing=frozenset(() if waiver.cuisines else brief.query.diet.preferences),
            most=self._most_of_a_meal,
        )
        days = plan_days(brief, self.journey, self.stay, self.sights_by_day, menu)
        return write_plan(self.brief, self.journey, self.stay, days)

    @property
    def cost(self) -> float:
        """CNY of everything."""
        return float(self.plan["summary"]["calculated_total_cost"])

    @property
    def _most_of_a_meal(self) -> float:
        """CNY a person."""
        brief, nights = self.brief, self.brief.days - 1
        beds = self.stay.cost * nights if self.stay else 0.0
        left = brief.query.budget / brief.people - self.journey.cost - beds / brief.people
        return (
            max(left, 0.0) * self.waiver.meals / (2 * brief.days)
            if self.waiver.meals < math.inf
            else math.inf
        )

    def in_nearest_hotel(self) -> _Draft:
        """The draft with the nearest hotel that the rest of the budget pays for (step 5), else as it is."""
        if self.stay is None or self.waiver.manners:
            return self
        points = [sight.point for day in self.sights_by_day for sight in day]
        left = self.brief.query.budget - self.cost
        for share in _SHARES:
            most = self.stay.cost + share * left / max(self.brief.days - 1, 1)
            near = choose_nearest_stay(self.brief, points, keep_wishes=not self.waiver.hotel, most=most)
            draft = replace(self, stay=near or self.stay)
            if draft.cost <= self.brief.query.budget:
                return draft
        return self


def _draft_with(brief: Brief, waiver: Waiver, seed: int) -> _Draft | None:
    """In the cheapest hotel; None where there are no rides or no beds."""
    brief = replace(brief, cycles=waiver.manners)
    chosen = choose_sights(brief, 0.0 if waiver.tickets else most_of_a_ticket(brief))
    journey = choose_journey(brief, keep_wishes=not waiver.rides)
    if waiver.manners:
        journey = choose_cheapest_journey(brief) or journey
    points = [sight.point for sight in chosen]
    stay = choose_cheapest_stay(brief, points, keep_wishes=not waiver.hotel, any_rooms=waiver.manners)
    if journey is None or lacks_beds(brief, stay):
        return None
    sights_by_day = share_by_day(chosen, brief.days, seed)
    if waiver.tickets:
        sights_by_day = [[sight for sight in day if not sight.price] for day in sights_by_day]
    return _Draft(brief, waiver, journey, stay, sights_by_day)
