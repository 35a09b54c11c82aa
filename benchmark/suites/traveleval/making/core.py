"""What the queries of a group share: the way, the days, who travels, the budget (appendix C, sections I to III)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import permutations, product
from random import Random
from typing import Any, Final, NamedTuple

from benchmark.suites.traveleval.tasks.query import BudgetClass
from benchmark.suites.traveleval.world import Tables

MOST_PEOPLE, MOST_CHILDREN, MOST_SENIORS = 6, 3, 2
BUDGETS: Final[Mapping[BudgetClass, tuple[int, int, int]]] = {
    "economy": (100, 500, 500),
    "medium": (500, 1000, 1200),
    "high": (1000, 5000, 2000),
}
"""CNY of a person: the least and the most a day, and both ways."""
_FEWEST_SIGHTS = 8
Way = tuple[str, str]


class Party(NamedTuple):
    """Who travels."""

    adults: int
    children: int = 0
    seniors: int = 0


class Core(NamedTuple):
    """What the queries of a group share."""

    way: Way
    days: int
    party: Party
    budget: int
    first: date

    def as_fields(self) -> dict[str, Any]:
        """The same as the fields of a query."""
        last = self.first + timedelta(days=self.days - 1)
        return {
            "start_city": self.way[0],
            "target_city": self.way[1],
            "days": self.days,
            "people_number": sum(self.party),
            "people_composition": self.party._asdict(),
            "budget": self.budget,
            "dates": f"{self.first} to {last}",
        }


PARTIES: Final[Mapping[int, Sequence[Party]]] = {
    1: [Party(1)],
    2: [Party(2), Party(1, 1), Party(1, 0, 1)],
    **{
        n: [
            Party(n - children - seniors, children, seniors)
            for children, seniors in product(range(MOST_CHILDREN + 1), range(MOST_SENIORS + 1))
            if children + seniors < n
        ]
        for n in range(3, MOST_PEOPLE + 1)
    },
}
"""Who may travel together, by how many they are."""


def ways_of(tables: Tables) -> list[Way]:
    """The ways on which a journey can be planned: there and back, to a city with sights, meals and beds."""
    return [
        (start, target)
        for start, target in permutations(tables.cities, 2)
        if _receives_guests(tables, target) and tables.rides(start, target) and tables.rides(target, start)
    ]


def _receives_guests(tables: Tables, name: str) -> bool:
    city = tables.city(name)
    return len(city.sights) >= _FEWEST_SIGHTS and bool(city.taverns and city.hotels)


def rounded_budget(raw: float) -> int:
    """CNY to the nearest 500, from 10,000 on to the nearest 2,000."""
    step = 500 if raw < 10_000 else 2000
    return int(raw / step + 0.5) * step


def draw_core(
    rng: Random, ways: Sequence[Way], days: int, wealth: BudgetClass, window: tuple[date, date]
) -> Core:
    """The core of a query, or of a group. window: days on which it may start."""
    party = rng.choice(PARTIES[rng.randint(1, MOST_PEOPLE)])
    least, most, both_ways = BUDGETS[wealth]
    raw = (rng.randint(least, most) * days + both_ways) * sum(party)
    first = window[0] + timedelta(days=rng.randint(0, (window[1] - window[0]).days))
    return Core(rng.choice(ways), days, party, rounded_budget(raw), first)
