"""How many items tables hold, and which shapes of global constraints there are: counts over published tasks.

data/preference_rates.json counts 118 users of 30 tasks. That sample is small, so numbers of items are moved to the
means that Table 9 gives for all users.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES, DATA
from benchmark.suites.grouptravel.synthesis.difficulty import QUOTA
from benchmark.suites.grouptravel.synthesis.draws import tilt

FIELDS = (
    "must_visit", "reject_visit", "positive", "negative", "must_eat", "prefer_eat", "avoid_eat", "reject_eat",
)  # fmt: skip
INHERITED_FIELDS = frozenset(("positive", "negative", "prefer_eat", "avoid_eat"))
"""What a `copy_minor` user takes over."""
_RATES: dict[str, Any] = orjson.loads((DATA / "preference_rates.json").read_bytes())
_TARGETS: dict[str, Any] = orjson.loads((DATA / "targets.json").read_bytes())
_GLOBAL: dict[str, Any] = _RATES["global_of_independent_users"]
_LEAST_LIKED = 2.0


def _counts(strategy: str, field: str) -> dict[int, float]:
    held = _RATES["strategies"][strategy]["items_per_city_table"][field]
    return {int(count): float(tables) for count, tables in held.items()}


def _mean(counts: Mapping[int, float]) -> float:
    return sum(count * weight for count, weight in counts.items()) / sum(counts.values())


def _tables() -> dict[str, float]:
    """City tables of the published 650 by the strategy that fills them.

    The mean number of cities by group size is the quotas', the archetypes are Table 5's.
    """
    cities = {
        size: sum(c.cities * c.tasks for c in QUOTA if c.users == size)
        / sum(c.tasks for c in QUOTA if c.users == size)
        for size in range(2, 7)
    }
    rates = dict.fromkeys(_RATES["strategies"], 0.0)
    for archetype in ARCHETYPES.values():
        for member in archetype.members:
            if member.generation != "skip":
                rates[member.generation] += archetype.tasks * cities[archetype.size]
    return rates


def _target(field: str) -> float:
    fields = _TARGETS["fields"]["value"]
    return float(next(tiers[field] for tiers in fields.values() if field in tiers))


def _calibrate() -> dict[tuple[str, str], dict[int, float]]:
    tables = _tables()
    rates = {}
    for field in FIELDS:
        by = {strategy: _counts(strategy, field) for strategy in tables}
        sources = {s: "independent" if s == "copy_minor" and field in INHERITED_FIELDS else s for s in tables}
        expected = sum(tables[s] * _mean(by[sources[s]]) for s in tables)
        factor = _target(field) / expected
        for strategy, counts in by.items():
            rates[strategy, field] = tilt(counts, _mean(counts) * factor)
    return rates


_ITEMS = _calibrate()


def items(strategy: str, field: str) -> Mapping[int, float]:
    """Weights of the number of items in a field of a city table."""
    return _ITEMS[strategy, field]


class Shape(NamedTuple):
    """Modes of travel by tier."""

    must: tuple[str, ...]
    prefer: tuple[str, ...]
    avoid: tuple[str, ...]
    reject: tuple[str, ...]


def _shape(text: str) -> Shape:
    tiers = [() if tier == "-" else tuple(tier.split(",")) for tier in text.split("/")]
    return Shape(*tiers)


SHAPES: Mapping[Shape, float] = {
    _shape(text): float(users) for text, users in _GLOBAL["transport_must/prefer/avoid/reject"].items()
}
SIGHTS_A_DAY: Mapping[int, float] = {int(cap): float(n) for cap, n in _GLOBAL["max_poi_per_day"].items()}
HOURS_A_DAY: Mapping[int, float] = {int(cap): float(n) for cap, n in _GLOBAL["max_active_hours"].items()}
HOTELS_AVOIDED: Mapping[str, float] = {
    name: float(users) for name, users in _GLOBAL["hotel_avoid_class"].items()
}
HOTELS_PREFERRED: Mapping[int, float] = {
    int(count): float(users) for count, users in _GLOBAL["hotel_prefer_count"].items()
}


class HotelClass(NamedTuple):
    """rank: 1 the cheapest to 5 the dearest. preference: how often it is preferred."""

    name: str
    rank: int
    preference: float


def _hotels() -> tuple[HotelClass, ...]:
    """Mentions count both tiers; avoided classes are counted for the 65 independent users, of 118."""
    classes = orjson.loads((DATA / "categories.json").read_bytes())["hotel_classes"]
    users = sum(strategy["users"] for strategy in _RATES["strategies"].values())
    whole = users / _GLOBAL["users"]
    return tuple(
        HotelClass(
            entry["zh"],
            entry["price_rank"],
            max(_LEAST_LIKED, entry["mentions"] - whole * HOTELS_AVOIDED.get(entry["zh"], 0.0)),
        )
        for entry in classes
    )


HOTELS = _hotels()
