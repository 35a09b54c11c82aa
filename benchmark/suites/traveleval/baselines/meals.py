"""Where to eat: near the way, or cheap (steps 4 and 6 of appendix A.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchmark.plans.ways import great_circle_km
from benchmark.suites.traveleval.baselines.brief import Brief, not_rejected
from benchmark.suites.traveleval.world import Tavern
from sandbox.worlds.geo import Point

MEAL = 60
"""Minutes."""
_NEAR, _STEP, _FAR = 20, 2, 50
_DAY = 24 * 60


def opening_of(opens: str, closes: str) -> tuple[int, int]:
    """From and to which minute something is open; past midnight where it closes before it opens."""
    begin, end = (
        int(hour) * 60 + int(minute) for hour, minute in (text.split(":")[:2] for text in (opens, closes))
    )
    return begin, end if end > begin else end + _DAY


@dataclass(frozen=True)
class Menu:
    """What may still be eaten. restaurants: where one has been. missing: preferred cuisines that no meal had.
    most: CNY that a person's meal may cost.
    """

    brief: Brief
    cheap: bool
    restaurants: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    most: float = math.inf

    def choose(self, here: Point, onward: Point, at: int) -> Tavern | None:
        """A restaurant that is open for a meal from a minute on: of a missing cuisine if there is one."""
        wishes = self.brief.query.diet
        usable = [
            tavern
            for tavern in self.brief.city.tavern.values()
            if tavern.name not in self.restaurants
            and tavern.price <= self.most
            and not_rejected([tavern.cuisine], wishes)
            and _is_open(tavern, at)
        ]
        missing = [tavern for tavern in usable if tavern.cuisine in self.missing]
        for taverns in (missing, usable):
            if (found := self._best(taverns, here, onward)) is not None:
                return found
        return None

    def _best(self, taverns: Sequence[Tavern], here: Point, onward: Point) -> Tavern | None:
        if self.cheap:
            return next(_cheapest_by_radius(taverns, here), None)

        def detour(tavern: Tavern) -> tuple[float, str]:
            return (great_circle_km(here, tavern.point) + great_circle_km(tavern.point, onward), tavern.name)

        return min(taverns, key=detour, default=None)

    def after(self, tavern: Tavern) -> Menu:
        """What may be eaten after a meal there."""
        return replace(
            self, restaurants=self.restaurants | {tavern.name}, missing=self.missing - {tavern.cuisine}
        )


def _is_open(tavern: Tavern, at: int) -> bool:
    begin, end = opening_of(tavern.opens, tavern.closes)
    return begin <= at and at + MEAL <= end


def _cheapest_by_radius(taverns: Sequence[Tavern], here: Point) -> Iterator[Tavern]:
    """The cheapest within each radius in turn."""
    away = sorted((great_circle_km(here, tavern.point), tavern) for tavern in taverns)
    for radius in range(_NEAR, _FAR + 1, _STEP):
        near = [(tavern.price, km, tavern.name, tavern) for km, tavern in away if km <= radius]
        if near:
            yield min(near)[-1]
