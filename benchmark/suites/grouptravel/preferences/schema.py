"""The fields of a preference table (GroupTravelBench, appendix A.1, table 4).

A table is the published object {"global_constraints": …, "city_specific_preferences": {CITY: …}}: it is kept as it
came and never coerced. This module says which fields it may have, nothing about what a given table holds.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

Kind = Literal["list", "scalar"]
Scope = Literal["global", "city"]
Tier = Literal["must", "prefer", "avoid", "reject", "cap"]
Strength = Literal["strong", "weak"]
Topic = Literal["budget", "transport", "intensity", "hotel", "attraction_name", "attraction_category", "food"]

GLOBAL_ROOT = "global_constraints"
CITY_ROOT = "city_specific_preferences"
CITY = "CITY"
TRANSPORT_MODES = ("飞机", "火车", "高铁", "自驾")


@dataclass(frozen=True, eq=False)
class PreferenceField:
    """One field of the schema; there is one object of each, compared by identity.

    keys: where the value lies below its root (`global_constraints`, or `city_specific_preferences` and a city).
    tier: how it is meant; `cap` is a limit of the whole trip that costs points when exceeded.
    points: what one satisfied (positive) or violated (negative) item is worth in group utility.
    """

    keys: tuple[str, ...]
    kind: Kind
    tier: Tier
    points: int
    scope: Scope
    topic: Topic

    @cached_property
    def strength(self) -> Strength:
        """Strong tiers weigh two points, weak ones one."""
        return "strong" if abs(self.points) == 2 else "weak"

    @property
    def positive(self) -> bool:
        """Whether the field names what the traveller wants, rather than what they would avoid."""
        return self.points > 0

    @property
    def path(self) -> str:
        """The dotted path, with the word CITY in the place of the city's name."""
        return self.path_in(CITY)

    def path_in(self, city: str) -> str:
        """The dotted path of this field for `city`, which a global field does not need."""
        return paths_in(city)[self]


@lru_cache(maxsize=2048)
def paths_in(city: str) -> dict[PreferenceField, str]:
    """The dotted path of every field, those of a city for `city`."""
    city_root = f"{CITY_ROOT}.{city}"
    return {f: ".".join((GLOBAL_ROOT if f.scope == "global" else city_root, *f.keys)) for f in FIELDS}


def _field(path: str, kind: Kind, tier: Tier, points: int, scope: Scope, topic: Topic) -> PreferenceField:
    return PreferenceField(tuple(path.split(".")), kind, tier, points, scope, topic)


GLOBAL_FIELDS = (
    _field("avg_budget", "scalar", "cap", -2, "global", "budget"),
    _field("transport.must", "list", "must", 2, "global", "transport"),
    _field("transport.prefer", "list", "prefer", 1, "global", "transport"),
    _field("transport.avoid", "list", "avoid", -1, "global", "transport"),
    _field("transport.reject", "list", "reject", -2, "global", "transport"),
    _field("intensity.max_poi_per_day", "scalar", "cap", -2, "global", "intensity"),
    _field("intensity.max_active_hours", "scalar", "cap", -2, "global", "intensity"),
    _field("hotel_preference.prefer", "list", "prefer", 1, "global", "hotel"),
    _field("hotel_preference.avoid", "list", "avoid", -1, "global", "hotel"),
)
CITY_FIELDS = (
    _field("attractions.must_visit", "list", "must", 2, "city", "attraction_name"),
    _field("attractions.reject_visit", "list", "reject", -2, "city", "attraction_name"),
    _field("attractions.category_pref.positive", "list", "prefer", 1, "city", "attraction_category"),
    _field("attractions.category_pref.negative", "list", "avoid", -1, "city", "attraction_category"),
    _field("food.must_eat", "list", "must", 2, "city", "food"),
    _field("food.prefer_eat", "list", "prefer", 1, "city", "food"),
    _field("food.avoid_eat", "list", "avoid", -1, "city", "food"),
    _field("food.reject_eat", "list", "reject", -2, "city", "food"),
)
FIELDS = GLOBAL_FIELDS + CITY_FIELDS
FIELD = {".".join(field.keys): field for field in FIELDS}
"""By the path below its root."""

_GLOBAL_PATHS = frozenset(f.path for f in GLOBAL_FIELDS)
_CITY_TAILS = frozenset(".".join(f.keys) for f in CITY_FIELDS)


def is_schema_path(path: str, cities: Collection[str]) -> bool:
    """Whether the full dotted `path` names a field of the schema, its city being one of `cities`.

    A group of fields (`global_constraints.transport`) is no field.
    """
    if path in _GLOBAL_PATHS:
        return True
    root, _, rest = path.partition(".")
    if root != CITY_ROOT:
        return False
    return any(rest.startswith(f"{city}.") and rest[len(city) + 1 :] in _CITY_TAILS for city in cities)
