"""Plans drawn at random from what passes: of the right form and content, at no sensible times."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import accumulate
from math import ceil
from random import Random
from typing import Final, TypeVar

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

K = TypeVar("K")
_MOST_SIGHTS: Final = 3
_MEALS: Final = 2
_LENGTH: Final = 60
"""Minutes of each visit and meal."""


class Sketches:
    """Plans whose items are among those allowed in their domain.

    One hotel a stay with rooms of one kind, a service a leg, on each full day up to three attractions and two meals.
    """

    def __init__(self, candidates: Candidates, allowed: Mapping[str, Collection[Choice]]) -> None:
        world, self.candidates = candidates.world, candidates

        def ends(id_: str) -> tuple[str, str]:
            service = world.services_by_id[id_]
            return (service.from_city, service.to_city)

        self._hotels = _group(allowed["hotel"], lambda id_: world.hotels_by_id[id_].city)
        self._sights = _group(allowed["attraction"], lambda id_: world.attractions_by_id[id_].city)
        self._meals = _group(allowed["restaurant"], lambda id_: world.restaurants_by_id[id_].city)
        self._legs = _group(allowed["transport"], ends)

    def draw(self, random: Random) -> Trip | None:
        """One of them; None where a night or a leg has nothing."""
        frame = self.candidates.frame
        slept_in = {city for city, nights in frame.stays if nights}
        if not slept_in <= self._hotels.keys() or not {*frame.legs} <= self._legs.keys():
            return None
        starts = accumulate((nights for _, nights in frame.stays), initial=0)
        legs: dict[int, list[tuple[str, Choice]]] = {}
        for start, ends in zip(starts, frame.legs, strict=True):
            legs.setdefault(start, []).append((LEG, random.choice(self._legs[ends])))
        stays = {city: random.choice(self._hotels[city]) for city in sorted(slept_in)}
        used: set[str] = set()
        days = []
        for number, day in enumerate(frame.dates):
            city = [*frame.nights, frame.destinations[-1]][number]
            items = legs.get(number) or self._full_day(random, city, used)
            stay = self._stay(stays[city]) if number < len(frame.nights) else None
            days.append(Day(number, day, stay, tuple(map(self._activity, range(len(items)), items))))
        plan = TripPlan(frame.start_date, frame.end_date, frame.people, tuple(days))
        return Trip(plan, self.candidates.world, frame, self.candidates.parameters)

    def _full_day(self, random: Random, city: str, used: set[str]) -> list[tuple[str, Choice]]:
        items = []
        for kind, places, count in (
            (ATTRACTION, self._sights, random.randint(1, _MOST_SIGHTS)),
            (RESTAURANT, self._meals, _MEALS),
        ):
            known = places.get(city, [])
            for choice in random.sample(known, min(count, len(known))):
                if choice[0] not in used:
                    used.add(choice[0])
                    items.append((kind, choice))
        return items

    def _stay(self, choice: Choice) -> Stay:
        room = self.candidates.world.hotels_by_id[choice[0]].product(choice[1])
        count = ceil(self.candidates.people / room.occupancy) if room is not None else 1
        return Stay((), choice[0], (Purchase(choice[1], count),))

    def _activity(self, number: int, item: tuple[str, Choice]) -> Activity:
        kind, choice = item
        start = 9 * 60 + number * _LENGTH
        return Activity((), kind, start, start + _LENGTH, choice[0], self._purchases(kind, choice))

    def _purchases(self, kind: str, choice: Choice) -> tuple[Purchase, ...]:
        world, people = self.candidates.world, self.candidates.people
        if kind == LEG:
            return (Purchase(choice[1], people),)
        if kind == ATTRACTION:
            products = world.attractions_by_id[choice[0]].products
            return (Purchase(products[0].id, people),) if products else ()
        menu = world.restaurants_by_id[choice[0]].product(choice[1])
        return () if menu is None else (Purchase(menu.id, ceil(people / menu.people)),)


def _group(choices: Collection[Choice], key: Callable[[str], K]) -> dict[K, list[Choice]]:
    """By a property of their items, in the order of ids."""
    groups: dict[K, list[Choice]] = {}
    for choice in sorted(choices):
        groups.setdefault(key(choice[0]), []).append(choice)
    return groups
