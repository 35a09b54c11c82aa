"""Approach A, which may cost more than the budget, and approach B, which may not (appendix A.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmark.suites.traveleval.baselines.brief import Brief
from benchmark.suites.traveleval.baselines.days import DayPlan, Frame, plan_day
from benchmark.suites.traveleval.baselines.meals import Menu, opening_of
from benchmark.suites.traveleval.baselines.moves import move_between
from benchmark.suites.traveleval.baselines.rides import (
    Journey,
    arrives,
    choose_cheapest_journey,
    choose_journey,
    departs,
    rides_from,
)
from benchmark.suites.traveleval.baselines.sights import choose_sights, share_by_day
from benchmark.suites.traveleval.baselines.stays import Stay, choose_cheapest_stay, choose_nearest_stay
from benchmark.suites.traveleval.baselines.writing import Plan, write_plan
from benchmark.suites.traveleval.tasks.query import Query
from benchmark.suites.traveleval.world import Sight, Tables

_MORNING, _NIGHT = 8 * 60, 21 * 60 + 30
_AT_HUB = 30
"""Minutes between a ride and the way from or to its station."""
_NIGHTLY_SAVING, _RIDE_SAVING = 30, 300
"""CNY of a person for which B gives up a wish: a night, and a leg."""
_DAY = 24 * 60


class UnmetBudget(NamedTuple):
    """Why there is no plan. cheapest: CNY of the cheapest one that was found, None where no journey can be made."""

    cheapest: float | None


def plan_without_limit(query: Query, tables: Tables, seed: int = 0) -> Plan | UnmetBudget:
    """Approach A: the best sights, each day's near each other, the hotel near to all of them."""
    brief = Brief(query, tables)
    chosen = choose_sights(brief, _most_each(brief))
    shared = share_by_day(chosen, brief.days, seed)
    ends = [day[0] if day else None for day in (shared[0], shared[-1])]
    journey = choose_journey(
        brief,
        [sight and sight.point for sight in ends],
        closes=_hours(ends[0])[1],
        opens=_hours(ends[1])[0],
    )
    stay = choose_nearest_stay(brief, [sight.point for sight in chosen])
    if journey is None or _lacks_beds(brief, stay):
        return UnmetBudget(None)
    return write_plan(brief, journey, stay, _plan_days(brief, journey, stay, shared, cheap=False))


def plan_within_budget(query: Query, tables: Tables, seed: int = 0) -> Plan | UnmetBudget:
    """Approach B: everything cheap; wishes are given up one after another until the budget holds."""
    brief = Brief(query, tables)
    cheapest: float | None = None
    for journey, stay, most_each in _attempts(brief):
        shared = share_by_day(choose_sights(brief, most_each), brief.days, seed)
        if most_each <= 0:
            shared = [[sight for sight in day if not sight.price] for day in shared]
        plan = write_plan(brief, journey, stay, _plan_days(brief, journey, stay, shared, cheap=True))
        if plan["summary"]["is_within_budget"]:
            return plan
        cost = float(plan["summary"]["calculated_total_cost"])
        cheapest = cost if cheapest is None else min(cheapest, cost)
    return UnmetBudget(cheapest)


def _attempts(brief: Brief) -> Iterator[tuple[Journey, Stay | None, float]]:
    """Rides, rooms and the dearest ticket: with all wishes, without those that cost much, without any."""
    wished, cheap = (choose_journey(brief, keep_wishes=keep) for keep in (True, False))
    if wished is None or cheap is None:
        return
    points = [sight.point for sight in choose_sights(brief, _most_each(brief))]
    liked, plain = (choose_cheapest_stay(brief, points, keep_wishes=keep) for keep in (True, False))
    if _lacks_beds(brief, liked):
        return
    most_each = _most_each(brief)
    yield wished, liked, most_each
    if liked and plain and liked.cost - plain.cost > _NIGHTLY_SAVING * brief.people:
        yield wished, plain, most_each
    if wished.cost - cheap.cost > 2 * _RIDE_SAVING:
        yield cheap, plain, most_each
    yield cheap, plain, 0.0
    yield choose_cheapest_journey(brief) or cheap, plain, 0.0


def _lacks_beds(brief: Brief, stay: Stay | None) -> bool:
    return stay is None and brief.days > 1


def _most_each(brief: Brief) -> float:
    """CNY that a ticket may cost: what the cheapest rides leave, for each sight and person."""
    fares = [ride.cost for back in (False, True) for ride in rides_from(brief, back=back)]
    left = brief.query.budget - 2 * brief.people * min(fares, default=0.0)
    return left / brief.count_of_sights / brief.people


def _hours(sight: Sight | None) -> tuple[int, int]:
    return (0, _DAY) if sight is None else opening_of(sight.opens, sight.closes)


def _minutes_between(brief: Brief, frame: Frame) -> int:
    """From where a day begins to where it ends: early trains are caught."""
    points = brief.city.points
    return move_between(brief, points.get(frame.origin), points.get(frame.goal)).minutes


def _plan_days(
    brief: Brief, journey: Journey, stay: Stay | None, shared: Sequence[Sequence[Sight]], *, cheap: bool
) -> list[DayPlan]:
    menu = Menu(brief, cheap, missing=frozenset(brief.query.diet.preferences))
    home = stay.hotel.name if stay else journey.homeward.origin
    days: list[DayPlan] = []
    for number, sights in enumerate(shared, 1):
        is_last = number == brief.days
        arrived = arrives(journey.outward) + _AT_HUB - (number - 1) * _DAY
        is_under_way = arrived >= _DAY
        hub = journey.outward.destination
        frame = Frame(
            number,
            origin=hub if arrived > 0 else home,
            goal=journey.homeward.origin if is_last else hub if is_under_way else home,
            begin=arrived if arrived > 0 else _MORNING,
            limit=departs(journey.homeward) - _AT_HUB if is_last else _NIGHT,
        )
        if is_last and arrived <= 0:
            frame = frame._replace(begin=min(_MORNING, frame.limit - _minutes_between(brief, frame)))
        days.append(plan_day(brief, frame, sights, menu))
        menu = days[-1].menu
    return days
