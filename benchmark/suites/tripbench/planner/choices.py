"""How days are filled, and what a trip has chosen so far."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from benchmark.suites.tripbench.planner.items import Purchases, Sight
from benchmark.suites.tripbench.planner.needs import Need
from benchmark.suites.tripbench.planner.problem import Problem
from benchmark.suites.tripbench.rubrics.attractions import CategoryPriority, Distance
from sandbox.worlds.geo import Point


class Style(NamedTuple):
    """How a day is filled. start: when one leaves the hotel. radius: from one sight to the next, in kilometres.

    is_loose: whether opening hours are stretched as the rules allow. is_short: whether visits are.
    """

    start: int = 8 * 60 + 30
    end: int = 22 * 60
    visits: int = 3
    radius: float = 10
    is_loose: bool = False
    is_short: bool = False


STYLES: Final = (
    Style(),
    Style(start=450, visits=2, radius=6),
    Style(start=450, radius=15, is_loose=True, is_short=True),
    Style(start=480, visits=1, radius=40, is_loose=True),
    Style(start=390, end=1410, visits=2, radius=80, is_loose=True, is_short=True),
)


class Act(NamedTuple):
    """An activity. item: what it is about, for its description. to: where a way leads."""

    type: str
    start: int
    end: int
    point: Point
    name: str
    id: str = ""
    purchases: Purchases = ()


@dataclass
class Choices:
    """What a trip has chosen so far, and may still choose.

    favourites: ids that come first. thrift: 1 where what is cheap does, 2 where nothing is bought without need.
    """

    problem: Problem
    needs: Sequence[Need] = ()
    cuisines: Sequence[Need] = ()
    favourites: frozenset[str] = frozenset()
    thrift: int = 0
    uses: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.priorities = [each.cats for each in self.problem.of(CategoryPriority)]
        limits = [each.km for each in self.problem.of(Distance) if each.of == "hotel"]
        self.hotel_km = min(limits, default=math.inf)

    def add(self, id_: str, names: Iterable[str] = (), count: int = 1) -> None:
        """Takes a place up, or leaves it (count -1)."""
        self.uses[id_] += count
        for name in {*names}:
            self.categories[name] += count

    def is_free(self, id_: str) -> bool:
        """Whether a place may still be chosen."""
        return self.uses[id_] <= 0

    def open_needs(self, needs: Sequence[Need]) -> list[Need]:
        """Those that nothing chosen meets."""
        return [need for need in needs if not any(self.uses[id_] > 0 for id_ in need.ids)]

    def open_places(self, needs: Sequence[Need]) -> frozenset[str]:
        """The places that meet what is still open."""
        return frozenset(id_ for need in self.open_needs(needs) for id_ in need.ids)

    def blocks(self, sight: Sight, reserved: Counter[str]) -> list[tuple[str, str]]:
        """The categories of lower priority that it would make more frequent than the one before, after that one.

        reserved: how many visits of each category are still to come.
        """
        own, found = {*sight.place.categories}, list[tuple[str, str]]()
        for names in self.priorities:
            counts = [self.categories[name] + reserved[name] + (name in own) for name in names]
            for pair, (first, then) in zip(pairwise(names), pairwise(counts), strict=True):
                if first < then and pair[1] in own:
                    found.append(pair)
        return found

    def reservations(self) -> Counter[str]:
        """The categories of one place for each need that is still open."""
        known = self.problem.world.attractions_by_id
        ids = {min(need.ids) for need in self.open_needs(self.needs) if need.ids} if self.priorities else ()
        return Counter(name for id_ in ids for name in {*known[id_].categories})
