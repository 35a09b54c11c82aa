"""What a plan gives for its money by the paper: types of sights are mended, and rejected ones count nothing."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final

from benchmark.suites.traveleval.factors import Numbers
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.paper.visits import refuse_empty, star
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure, ratio
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.scoring.worth import CATEGORIES_OF_SIGHTS, target_density
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Sight

_MENDED_TYPES: Final = {
    "猫狗特色": ("宠物特色",),
    "[自然风光": ("自然风光",),
    "人文景观沉浸式体验": ("人文景观", "沉浸式体验"),
    "": (),
}
"""Of the 26 strings of the tables, so that the 24 of formula 21 are left."""


def types_of(sight: Sight) -> list[str]:
    """The types of a sight."""
    return [kind for told in sight.type_names for kind in _MENDED_TYPES.get(told, (told,))]


def _match(sight: Sight, query: Query) -> float:
    types = types_of(sight)
    if any(kind in types for kind in query.attractions.constraints):
        return 0.0
    return 1.0 + sum(kind in types for kind in query.attractions.preferences)


def _experience(plan: Itinerary) -> float:
    refuse_empty(plan.city.sights, "attractions")
    return sum(star(sight) * _match(sight, plan.query) for _visit, sight in plan.known_visits())


def budget_efficiency(plan: Itinerary, spent: float) -> Result:
    """BE (formula 15): experience for 1,000 CNY."""
    return Result(ratio(1000 * _experience(plan), spent))


def profit(plan: Itinerary) -> Result:
    """Profit (formula 24): experience for a visit, to unknown places too."""
    return Result(ratio(_experience(plan), len(plan.visits), ("daily_plans",)))


def diversity(plan: Itinerary) -> Result:
    """EDI (formula 21)."""
    refuse_empty(plan.city.sights, "attractions")
    weights: Counter[str] = Counter()
    for _visit, sight in plan.known_visits():
        types = types_of(sight)
        for kind in types:
            weights[kind] += 1 / len(types)  # type: ignore[assignment]
    whole = sum(weights.values())
    if not whole:
        raise UndefinedFigure(("daily_plans",))
    entropy = sum(weight / whole * math.log2(whole / weight) for weight in weights.values())
    return Result(entropy / math.log2(CATEGORIES_OF_SIGHTS), rows=[dict(weights)])


def density(plan: Itinerary, densities: Numbers) -> Result:
    """ADS (formula 22)."""
    days, target = len(plan.schedule), target_density(plan.query, densities)
    row = {"visits": len(plan.visits), "days": days, "target": target}
    return Result(ratio(len(plan.visits), days, ("daily_plans",)) / target, rows=[row])
