"""The 32 concept functions: what statements can ask of a plan in the making, and of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, Final

from benchmark.plans.hours import DAY
from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.planner.days import DayDraft, is_open_for, opens_late, stay_of, strength_of
from benchmark.suites.tripscore.planner.journeys import Move
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS, Parameters
from benchmark.suites.tripscore.scoring.trip import PERIODS
from benchmark.suites.tripscore.scoring.worth import effort_label
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Attraction, Hotel

_HOUR: Final = 60


@dataclass
class Draft:
    """A plan in the making. days: all of the journey, with their legs. count: how many have been begun."""

    task: Task
    days: list[DayDraft]
    count: int = 0
    parameters: Parameters = DEFAULTS

    def stay(self, sight: Attraction) -> float:
        """Hours of a visit."""
        return stay_of(sight, self.parameters)

    def day(self, number: int) -> DayDraft:
        """By its number, from 1; the next day's is 1 more."""
        if not 1 <= number <= len(self.days):
            raise IndexError(number)
        return self.days[number - 1]

    def when(self, number: int) -> date:
        """Of a day."""
        return self.task.query.start_date + timedelta(days=number - 1)

    def sights(self, number: int) -> list[Attraction]:
        """Of a day, in order."""
        return [sight for visits in self.day(number).visits for at in sorted(visits) for sight in visits[at]]

    def every_sight(self) -> list[Attraction]:
        """Of all days that have been begun."""
        return [sight for number in range(1, self.count + 1) for sight in self.sights(number)]

    def strength(self, number: int) -> int:
        """What a day asks of the legs; 0 before the first day and after the last."""
        inside = 1 <= number <= self.count
        return sum(map(strength_of, self.sights(number))) if inside else 0

    def cities_left(self, number: int) -> list[str]:
        """Cities of the query in which the traveller is for the last time on a day."""
        later = {stretch.city for day in self.days[number:] for stretch in day.stretches}
        own = dict.fromkeys(stretch.city for stretch in self.day(number).stretches)
        return [city for city in own if city in self.task.query.folded_cities and city not in later]


def _visits_at(plan: Draft, number: int, period: str) -> Iterator[Attraction]:
    for visits in plan.day(number).visits:
        yield from visits.get(PERIODS.index(period), ())


def _way_km(sights: list[Attraction]) -> float:
    return sum(_km(one, other) for one, other in pairwise(sights) if one.folded_city == other.folded_city)


def _km(one: Attraction | Hotel, other: Attraction | Hotel) -> float:
    return great_circle_km(one.point, other.point) if one.point and other.point else 0.0


def _city(thing: Attraction | Hotel | Move) -> str:
    return thing.city if isinstance(thing, Move) else thing.folded_city


def needs_hotel(plan: Draft, number: int) -> bool:
    """Whether the night after a day is spent in a city."""
    moves = plan.day(number).moves
    return number < len(plan.days) and not (moves and moves[-1].arrives >= number * DAY)


CONCEPTS: Final[Mapping[str, Callable[..., Any]]] = {
    # The plan.
    "days": lambda plan: [*range(1, plan.count + 1)],
    "day_count": lambda plan: len(plan.days),
    "cities": lambda plan: [*dict.fromkeys(plan.task.query.folded_cities)],
    "city_on": lambda plan, day: plan.day(day).stretches[-1].city,
    "cities_on": lambda plan, day: [stretch.city for stretch in plan.day(day).stretches],
    "cities_left": lambda plan, day: plan.cities_left(day),
    "visits": lambda plan: plan.every_sight(),
    "visits_on": lambda plan, day: plan.sights(day),
    "visits_in": lambda plan, city: [one for one in plan.every_sight() if one.folded_city == fold_name(city)],
    "visits_at": lambda plan, day, period: [*_visits_at(plan, day, period)],
    "times_visited": lambda plan, sight: sum(one.id == sight.id for one in plan.every_sight()),
    "hotel_on": lambda plan, day: plan.day(day).hotel,
    "hotels": lambda plan: [day.hotel for day in plan.days[: plan.count] if day.hotel],
    "needs_hotel": needs_hotel,
    "legs": lambda plan: [move for day in plan.days for move in day.legs],
    "legs_on": lambda plan, day: plan.day(day).legs,
    "hours_on": lambda plan, day: sum(map(plan.stay, plan.sights(day))),
    "effort_on": lambda plan, day: effort_label(*map(plan.strength, (day - 1, day, day + 1))),
    "way_on": lambda plan, day: _way_km(plan.sights(day)),
    # The data.
    "name": lambda plan, thing: thing.leg.name if isinstance(thing, Move) and thing.leg else thing.name,
    "id": lambda plan, thing: thing.leg.id if isinstance(thing, Move) and thing.leg else thing.id,
    "city": lambda plan, thing: _city(thing),
    "tags": lambda plan, sight: [*sight.folded_tags],
    "stay": lambda plan, sight: plan.stay(sight),
    "strength": lambda plan, sight: strength_of(sight),
    "open_at": lambda plan, sight, day, period: is_open_for(
        sight, plan.when(day), PERIODS.index(period), plan.parameters
    ),
    "opens_late": lambda plan, sight, day: opens_late(sight, plan.when(day), plan.parameters),
    "stars": lambda plan, hotel: hotel.star or 0.0,
    "km": lambda plan, one, other: _km(one, other),
    "mode": lambda plan, leg: leg.leg.mode if leg.leg else "driving",
    "departs": lambda plan, leg: leg.departs % DAY / _HOUR,
    "travel_hours": lambda plan, leg: (leg.arrives - leg.departs) / _HOUR,
}
"""Days count from 1; cities and tags are as names compare; hours are those of a clock, or how long it takes."""
