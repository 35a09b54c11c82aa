"""What a plan gives for its money and its time (economy, utility)."""

from __future__ import annotations

import math
from collections import Counter

from benchmark.suites.traveleval.factors import DENSITIES, Numbers
from benchmark.suites.traveleval.scoring.hours import hours_away
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.reading import duration, ratio
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Sight

CATEGORIES_OF_SIGHTS = 24
_STAR_WHERE_UNKNOWN = 3.0
_PER_CNY = 1000


def _match(sight: Sight, query: Query) -> float:
    """m: more than 1 for each preferred type that a sight is of, less with rejected ones."""
    liked = sum(wish in sight.types for wish in query.attractions.preferences)
    rejected = sum(wish in sight.types for wish in query.attractions.constraints)
    if rejected == 0:
        return 1.0 + liked
    return (1 + liked) / (1 + rejected) if liked else 0.0


def experience(plan: Itinerary) -> Result:
    """X: stars of the visited sights, weighed by the tags. NaN where a sight has no star."""
    rows = [
        {"at": visit.node.at, "name": sight.name, "star": sight.star, "match": _match(sight, plan.query)}
        for visit, sight in plan.known_visits()
    ]
    return Result(sum(row["star"] * row["match"] for row in rows), rows=rows)  # type: ignore[operator]


def budget_efficiency(plan: Itinerary, spent: float) -> Result:
    """BE (formula 15): experience for 1,000 CNY."""
    found = experience(plan)
    return found._replace(value=ratio(_PER_CNY * found.value, spent))


def profit(plan: Itinerary) -> Result:
    """Profit (formula 24): experience for a visit, unknown places counted too."""
    found = experience(plan)
    return found._replace(value=found.value / len(plan.visits) if plan.visits else 0.0)


def diversity(plan: Itinerary) -> Result:
    """EDI (formula 21): the entropy of the types of the visited sights, each of k types 1/k of its sight."""
    weights: Counter[str] = Counter()
    for _visit, sight in plan.known_visits():
        for kind in sight.type_names:
            weights[kind] += 1 / len(sight.type_names)  # type: ignore[assignment]
    whole = sum(weights.values())
    shares = [weight / whole for weight in weights.values()]
    entropy = sum(share * math.log2(1 / share) for share in shares)
    return Result(entropy / math.log2(CATEGORIES_OF_SIGHTS), rows=[dict(weights)])


def target_density(query: Query, densities: Numbers = DENSITIES) -> float:
    """Attractions a day that the travellers want."""
    rhythm, people = query.rhythm.preferences, query.people_composition
    if "特种兵式" in rhythm:
        return densities["packed"]
    if "慢游" in rhythm:
        return densities["slow"]
    return densities["family" if people.children or people.seniors else "usual"]


def density(plan: Itinerary, densities: Numbers) -> Result:
    """ADS (formula 22): visits a day, against the target."""
    target = target_density(plan.query, densities)
    days = len(plan.schedule)
    row = {"visits": len(plan.visits), "days": days, "target": target}
    return Result(len(plan.visits) / days / target if days else 0.0, rows=[row])


def quality(plan: Itinerary) -> Result:
    """AQE (formula 23): stars times hours of all visits, for an hour away; as published, without queues."""
    rows = []
    for visit in plan.visits if plan.city.sights else []:
        visit.start.hour_and_minute()
        sight = plan.city.sight.get(visit.name.name())
        star = sight.star if sight else _STAR_WHERE_UNKNOWN
        rows.append({"at": visit.node.at, "star": star, "hours": duration(visit.start, visit.end)})
    gained = sum(row["star"] * row["hours"] for row in rows)  # type: ignore[operator]
    return Result(ratio(gained, hours_away(plan)), rows=rows)
