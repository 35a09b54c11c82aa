"""A traveller's effective table as a list of wishes: what may be said, defended, and given up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmark.suites.grouptravel.preferences import FIELDS, PreferenceField, cities, filled_fields, number

GLOBAL_TOPICS = ("budget", "transport", "pace_sights", "pace_hours", "hotels")
CITY_TOPICS = ("sights", "categories", "food")
TOPICS = GLOBAL_TOPICS + CITY_TOPICS
CAPPED_TOPICS = ("budget", "pace_sights", "pace_hours")

_TOPIC = {"hotel": "hotels", "attraction_name": "sights", "attraction_category": "categories"}
_CAPS = {"max_poi_per_day": "pace_sights", "max_active_hours": "pace_hours"}
_TOPICS = {field: _CAPS.get(field.keys[-1]) or _TOPIC.get(field.topic, field.topic) for field in FIELDS}


@dataclass(frozen=True, slots=True)
class Wish:
    """One filled field of a table: either `items`, quoted as they stand, or `cap` (元, sights or hours a day)."""

    field: PreferenceField
    city: str
    items: tuple[str, ...] = ()
    cap: float = 0

    @property
    def topic(self) -> str:
        """One of TOPICS: what a question has to be about to be answered with this wish."""
        return _TOPICS[self.field]

    @property
    def tier(self) -> str:
        """must, prefer, avoid, reject or cap."""
        return self.field.tier

    @property
    def strong(self) -> bool:
        """Whether it is worth two points: a must, a refusal, a cap."""
        return self.field.strength == "strong"

    @property
    def wanted(self) -> bool:
        """Whether the items are wished for rather than shunned."""
        return self.field.positive

    @property
    def path(self) -> str:
        """The full dotted path of the field."""
        return self.field.path_in(self.city)


@dataclass(frozen=True, slots=True)
class Wishes:
    """All wishes of one table, in the schema's order; `cities` are those the table speaks about."""

    all: tuple[Wish, ...]
    cities: tuple[str, ...]

    def about(self, topic: str, city: str = "") -> tuple[Wish, ...]:
        """The wishes on one topic, for `city` where the topic is one of a city's."""
        return tuple(w for w in self.all if w.topic == topic and w.city in ("", city))

    def names(self) -> frozenset[str]:
        """Every name that the table holds."""
        return frozenset(name for wish in self.all for name in wish.items)


def wishes(table: Any) -> Wishes:
    """Read `table` leniently: fields that are empty or of a wrong type hold no wish."""
    stated_wishes = (wish_of(*stated) for stated in filled_fields(table))
    return Wishes(tuple(wish for wish in stated_wishes if wish), cities(table))


def wish_of(field: PreferenceField, city: str, value: Any) -> Wish | None:
    """What one field holds; None where it is empty or of a wrong type."""
    if field.kind == "scalar":
        cap = number(value)
        return None if cap is None else Wish(field, city, cap=cap)
    names = _names(value)
    return Wish(field, city, names) if names else None


def _names(value: Any) -> tuple[str, ...]:
    """A bare string, left by a compromise, is one name."""
    names = value if isinstance(value, list) else [value]
    return tuple(name for name in names if isinstance(name, str) and name.strip())


def figure(amount: float) -> str:
    """A cap as people write it: 3000, not 3000.0."""
    return str(int(amount)) if amount == int(amount) else str(amount)
