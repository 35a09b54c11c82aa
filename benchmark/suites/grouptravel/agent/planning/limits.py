"""What a plan asks of one traveller, and the limits of theirs that it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from benchmark.suites.grouptravel.agent.dialogue.requests import CAPS
from benchmark.suites.grouptravel.itineraries.reading import (
    ATTRACTION,
    FOOD,
    HOTEL,
    TRANSIT,
    Activity,
    Block,
    Day,
    read_plan,
)
from benchmark.suites.grouptravel.preferences import FIELDS, number, read

_HUNDRED = 100
_FIELDS = {subject: next(f for f in FIELDS if f.keys[-1] == cap) for subject, cap in CAPS.items()}


@dataclass(frozen=True, slots=True)
class BrokenLimit:
    """A limit that a plan breaks. subject: of `CAPS`. sufficient_cap: the limit that would hold, budgets in
    hundreds.
    """

    user: str
    subject: str
    cap: float
    sufficient_cap: float


@dataclass(frozen=True, slots=True)
class Spending:
    """What a plan costs one traveller, in CNY.

    covered_cost: what a budget covers. extra_cost: tickets and ways inside cities.
    """

    covered_cost: float
    extra_cost: float


def spendings(itinerary: Mapping[str, Any], travellers: Iterable[str]) -> list[Spending]:
    """What an itinerary costs each traveller, in their order."""
    days = read_plan(itinerary).days
    return [Spending(cost_of(days, user), _extra_cost_of(days, user)) for user in travellers]


def broken_limits(
    itinerary: Mapping[str, Any], tables: Mapping[str, Any], travellers: Iterable[str]
) -> Iterator[BrokenLimit]:
    """The limits that an itinerary breaks, traveller by traveller; budgets first."""
    days = read_plan(itinerary).days
    for user in travellers:
        for subject, field in _FIELDS.items():
            cap, asked = number(read(tables.get(user, {}), field)), _demand(subject, days, user)
            if cap and 0 < cap < asked:
                yield BrokenLimit(user, subject, cap, _round_up(subject, asked))


def _demand(subject: str, days: Sequence[Day], user: str) -> float:
    if subject == "budget":
        return cost_of(days, user)
    figure = _sights if subject == "sights_a_day" else _hours
    return max((figure(list(_of_day(day, user))) for day in days), default=0)


def _round_up(subject: str, asked: float) -> float:
    return ceil(asked / _HUNDRED) * _HUNDRED if subject == "budget" else ceil(asked)


def _sights(activities: Sequence[Activity]) -> float:
    return sum(activity.kind == ATTRACTION for activity in activities)


def _hours(activities: Sequence[Activity]) -> float:
    return sum(activity.duration for activity in activities if activity.kind in (ATTRACTION, TRANSIT)) / 60


def _of_day(day: Day, user: str) -> Iterator[Activity]:
    return (activity for block in day.blocks for activity in activities_of(block, user))


def activities_of(block: Block, user: str) -> Iterator[Activity]:
    """The activities in which a traveller takes part."""
    return (activity for activity in block.activities if activity.shared or user in activity.participants)


def cost_of(days: Sequence[Day], user: str) -> float:
    """CNY for legs, nights and the traveller's own meals: what a budget covers."""
    legs = sum(leg.cost for day in days for leg in day.legs)
    return float(legs + _cost_of_kinds(days, user, (FOOD, HOTEL)))


def _extra_cost_of(days: Sequence[Day], user: str) -> float:
    return _cost_of_kinds(days, user, (ATTRACTION, TRANSIT))


def _cost_of_kinds(days: Sequence[Day], user: str, kinds: tuple[str, ...]) -> float:
    own = (activity for day in days for activity in _of_day(day, user))
    return float(sum(activity.cost for activity in own if activity.kind in kinds))
