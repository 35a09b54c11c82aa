"""Approach A, which may cost more than the budget, and the days of both approaches (appendix A.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchmark.suites.traveleval.baselines.brief import Brief
from benchmark.suites.traveleval.baselines.days import DayPlan, Frame, plan_day
from benchmark.suites.traveleval.baselines.meals import Menu, opening_of
from benchmark.suites.traveleval.baselines.moves import move_between
from benchmark.suites.traveleval.baselines.rides import (
    Journey,
    arrives,
    choose_journey,
    departs,
)
from benchmark.suites.traveleval.baselines.sights import choose_sights, most_of_a_ticket, share_by_day
from benchmark.suites.traveleval.baselines.stays import Stay, choose_nearest_stay
from benchmark.suites.traveleval.baselines.writing import Plan, write_plan
from benchmark.suites.traveleval.tasks.query import Query
from benchmark.suites.traveleval.world import Sight, Tables

_MORNING, _NIGHT = 8 * 60, 21 * 60 + 30
_AT_HUB = 30
"""Minutes between a ride and the way from or to its station."""
_DAY = 24 * 60


class UnmetBudget(NamedTuple):
    """Why there is no plan. cheapest: CNY of the cheapest one that was found, None where no journey can be made."""

    cheapest: float | None


def plan_without_limit(query: Query, tables: Tables, seed: int = 0) -> Plan | UnmetBudget:
    """Approach A: the best sights, each day's near each other, the hotel near to all of them."""
    brief = Brief(query, tables)
    chosen = choose_sights(brief, most_of_a_ticket(brief))
    shared = share_by_day(chosen, brief.days, seed)
    ends = [day[0] if day else None for day in (shared[0], shared[-1])]
    journey = choose_journey(
        brief,
        [sight and sight.point for sight in ends],
        closes=_hours(ends[0])[1],
        opens=_hours(ends[1])[0],
    )
    stay = choose_nearest_stay(brief, [sight.point for sight in chosen])
    if journey is None or lacks_beds(brief, stay):
        return UnmetBudget(None)
    menu = Menu(brief, cheap=False, missing=frozenset(brief.query.diet.preferences))
    return write_plan(brief, journey, stay, plan_days(brief, journey, stay, shared, menu))


def lacks_beds(brief: Brief, stay: Stay | None) -> bool:
    """Whether a night has no hotel."""
    return stay is None and brief.days > 1


def _hours(sight: Sight | None) -> tuple[int, int]:
    return (0, _DAY) if sight is None else opening_of(sight.opens, sight.closes)


def _minutes_between(brief: Brief, frame: Frame) -> int:
    """From where a day begins to where it ends: early trains are caught."""
    points = brief.city.points
    return move_between(brief, points.get(frame.origin), points.get(frame.goal)).minutes


def plan_days(
    brief: Brief, journey: Journey, stay: Stay | None, shared: Sequence[Sequence[Sight]], menu: Menu
) -> list[DayPlan]:
    """The days with their sights, meals and ways."""
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
