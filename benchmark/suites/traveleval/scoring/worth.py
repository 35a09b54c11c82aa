"""What a plan gives for its money and its time (economy, utility)."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import Final

from benchmark.suites.traveleval.factors import DENSITIES, Numbers
from benchmark.suites.traveleval.scoring.hours import hours_away
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.paper.visits import STAR_WHERE_UNKNOWN, refuse_empty, star
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure, duration, keep_answers, ratio
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Sight

CATEGORIES_OF_SIGHTS = 24
_PER_CNY = 1000


_MENDED_TYPES: Final = {
    "猫狗特色": ("宠物特色",),
    "[自然风光": ("自然风光",),
    "人文景观沉浸式体验": ("人文景观", "沉浸式体验"),
    "": (),
}
"""Of the 26 strings of the tables, so that the 24 of formula 21 are left."""


def types_of(sight: Sight, *, by_paper: bool = True) -> tuple[str, ...]:
    """The types of a sight, by the paper mended."""
    return _mend_types(sight.type_names) if by_paper else sight.type_names


@lru_cache(maxsize=2**12)
def _mend_types(told: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kind for own in told for kind in _MENDED_TYPES.get(own, (own,)))


def match(sight: Sight, query: Query) -> float:
    """m as published, where tags are found within the types: above 1 for preferred ones, below with rejected ones."""
    liked = sum(wish in sight.types for wish in query.attractions.preferences)
    rejected = sum(wish in sight.types for wish in query.attractions.constraints)
    if rejected == 0:
        return 1.0 + liked
    return (1 + liked) / (1 + rejected) if liked else 0.0


def match_by_paper(sight: Sight, query: Query) -> float:
    """m: whatever is of a rejected type counts nothing."""
    types = types_of(sight)
    if any(kind in types for kind in query.attractions.constraints):
        return 0.0
    return 1.0 + sum(kind in types for kind in query.attractions.preferences)


@keep_answers
def experience(plan: Itinerary, by_paper: bool) -> Result:
    """X: stars of the visited sights, weighed by the tags. As published NaN where a sight has no star."""
    visits = plan.known_visits()
    if by_paper:
        refuse_empty(plan.city.sights, "attractions")
        return Result(sum(star(sight) * match_by_paper(sight, plan.query) for _visit, sight in visits))
    rows = [
        {"at": visit.node.at, "name": sight.name, "star": sight.star, "match": match(sight, plan.query)}
        for visit, sight in visits
    ]
    return Result(sum(row["star"] * row["match"] for row in rows), rows=rows)  # type: ignore[operator]


def budget_efficiency(plan: Itinerary, spent: float, *, by_paper: bool) -> Result:
    """BE (formula 15): experience for 1,000 CNY."""
    found = experience(plan, by_paper)
    return found._replace(value=ratio(_PER_CNY * found.value, spent))


def profit(plan: Itinerary, *, by_paper: bool) -> Result:
    """Profit (formula 24): experience for a visit, unknown places counted too."""
    found, visits = experience(plan, by_paper), len(plan.visits)
    return found._replace(value=_quotient(found.value, visits, by_paper=by_paper))


def _quotient(part: float, whole: float, *, by_paper: bool) -> float:
    """Of nothing 0 as published; by the paper there is none."""
    return ratio(part, whole, ("daily_plans",)) if whole or by_paper else 0.0


def diversity(plan: Itinerary, *, by_paper: bool) -> Result:
    """EDI (formula 21): the entropy of the types of the visited sights, each of k types 1/k of its sight."""
    if by_paper:
        refuse_empty(plan.city.sights, "attractions")
    weights: Counter[str] = Counter()
    for _visit, sight in plan.known_visits():
        types = types_of(sight, by_paper=by_paper)
        for kind in types:
            weights[kind] += 1 / len(types)  # type: ignore[assignment]
    whole = sum(weights.values())
    if by_paper and not whole:
        raise UndefinedFigure(("daily_plans",))
    entropy = sum(weight / whole * math.log2(1 / (weight / whole)) for weight in weights.values())
    return Result(entropy / math.log2(CATEGORIES_OF_SIGHTS), rows=[dict(weights)])


def target_density(query: Query, densities: Numbers = DENSITIES) -> float:
    """Attractions a day that the travellers want."""
    rhythm, people = query.rhythm.preferences, query.people_composition
    if "特种兵式" in rhythm:
        return densities["packed"]
    if "慢游" in rhythm:
        return densities["slow"]
    return densities["family" if people.children or people.seniors else "usual"]


def density(plan: Itinerary, densities: Numbers, *, by_paper: bool) -> Result:
    """ADS (formula 22): visits a day, against the target."""
    visits, days, target = len(plan.visits), len(plan.schedule), target_density(plan.query, densities)
    row = {"visits": visits, "days": days, "target": target}
    return Result(_quotient(visits, days, by_paper=by_paper) / target, rows=[row])


def quality(plan: Itinerary) -> Result:
    """AQE (formula 23): stars times hours of all visits, for an hour away; as published, without queues."""
    rows = []
    for visit in plan.visits if plan.city.sights else []:
        visit.start.hour_and_minute()
        sight = plan.city.sight.get(visit.name.name())
        star = sight.star if sight else STAR_WHERE_UNKNOWN
        rows.append({"at": visit.node.at, "star": star, "hours": duration(visit.start, visit.end)})
    gained = sum(row["star"] * row["hours"] for row in rows)  # type: ignore[operator]
    return Result(ratio(gained, hours_away(plan)), rows=rows)
