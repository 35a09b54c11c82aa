"""Plans drawn at random from what passes: of the right form and content, at no sensible times."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import accumulate
from math import ceil
from random import Random
from typing import Final

from benchmark.suites.tripbench.plans.schema import (
    ATTRACTION,
    LEG,
    RESTAURANT,
    Activity,
    Day,
    Purchase,
    Stay,
    TripPlan,
)
from benchmark.suites.tripbench.plans.trip import Trip
from benchmark.suites.tripbench.rubrics.candidates import Candidates, Choice

_MOST_SIGHTS: Final = 3
_LENGTH: Final = 60
"""Minutes of each visit and meal."""


def draw_sketch(
    random: Random, candidates: Candidates, allowed: Mapping[str, Collection[Choice]]
) -> Trip | None:
    """A plan whose items are among those allowed in their domain; None where there are too few.

    One hotel a stay with rooms of one kind, a service a leg, on each full day up to three attractions and two meals.
    """
    world, frame = candidates.world, candidates.frame
    hotels = _by(allowed["hotel"], lambda id_: world.hotels_by_id[id_].city)
    legs = _by(allowed["transport"], lambda id_: (own := world.services_by_id[id_]).from_city + own.to_city)
    sights = _by(allowed["attraction"], lambda id_: world.attractions_by_id[id_].city)
    meals = _by(allowed["restaurant"], lambda id_: world.restaurants_by_id[id_].city)
    for choices in (*sights.values(), *meals.values()):
        random.shuffle(choices)
    keys = [start + end for start, end in frame.legs]
    if not all(city in hotels for city, nights in frame.stays if nights) or not all(
        key in legs for key in keys
    ):
        return None
    starts = [0, *accumulate(nights for _, nights in frame.stays)]
    leg_days: dict[int, list[Choice]] = {}
    for start, key in zip(starts, keys, strict=True):
        leg_days.setdefault(start, []).append(random.choice(legs[key]))
    stays = {city: random.choice(hotels[city]) for city, nights in frame.stays if nights}
    days = []
    for number, date in enumerate(frame.dates):
        city = [*frame.nights, frame.destinations[-1]][number]
        items = [(LEG, choice) for choice in leg_days.get(number, [])]
        if not items:
            count = random.randint(1, _MOST_SIGHTS)
            items = [(ATTRACTION, each) for each in _take(sights.get(city, []), count)]
            items += [(RESTAURANT, each) for each in _take(meals.get(city, []), 2)]
        stay = _stay(candidates, stays[city]) if number < len(frame.nights) else None
        days.append(Day(number, date, stay, tuple(_activities(candidates, items))))
    plan = TripPlan(frame.start_date, frame.end_date, frame.people, tuple(days))
    return Trip(plan, world, frame, candidates.parameters)


def _by(choices: Collection[Choice], key: Callable[[str], str]) -> dict[str, list[Choice]]:
    own: dict[str, list[Choice]] = {}
    for choice in sorted(choices):
        own.setdefault(key(choice[0]), []).append(choice)
    return own


def _take(choices: list[Choice], count: int) -> list[Choice]:
    """So many, which are gone after; each item once."""
    taken: list[Choice] = []
    while choices and len(taken) < count:
        choice = choices.pop()
        choices[:] = [each for each in choices if each[0] != choice[0]]
        taken.append(choice)
    return taken


def _stay(candidates: Candidates, choice: Choice) -> Stay:
    room = candidates.world.hotels_by_id[choice[0]].product(choice[1])
    count = ceil(candidates.people / room.occupancy) if room is not None else 1
    return Stay((), choice[0], (Purchase(choice[1], count),))


def _activities(candidates: Candidates, items: list[tuple[str, Choice]]) -> list[Activity]:
    start, told = 9 * 60, []
    for kind, choice in items:
        told.append(
            Activity((), kind, start, start + _LENGTH, choice[0], _purchases(candidates, kind, choice))
        )
        start += _LENGTH
    return told


def _purchases(candidates: Candidates, kind: str, choice: Choice) -> tuple[Purchase, ...]:
    world, people = candidates.world, candidates.people
    if kind == LEG:
        return (Purchase(choice[1], people),)
    if kind == ATTRACTION:
        products = world.attractions_by_id[choice[0]].products
        return (Purchase(products[0].id, people),) if products else ()
    menu = world.restaurants_by_id[choice[0]].product(choice[1])
    return () if menu is None else (Purchase(menu.id, ceil(people / menu.people)),)
