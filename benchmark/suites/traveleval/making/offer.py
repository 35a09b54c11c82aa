"""The tags that a destination can meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmark.suites.traveleval.tasks.query import CATEGORIES, Category
from benchmark.suites.traveleval.tasks.tags import TAG_SETS, VAGUE
from benchmark.suites.traveleval.world import Tables

_PLANE, _FAST_TRAIN = "飞机", "高铁"
BETWEEN_CITIES: Final = (_PLANE, _FAST_TRAIN)
Offer = Mapping[Category, tuple[str, ...]]
"""The tags of each category that something in the destination has."""


def offer_of(tables: Tables, start: str, target: str) -> Offer:
    """What can be met on a journey. Of ways inside a city and of rhythms, everything can."""
    city = tables.city(target)
    found: dict[Category, set[str]] = {
        "transportation": {*TAG_SETS["transportation"]} - {*BETWEEN_CITIES} | _modes(tables, start, target),
        "accommodations": {hotel.feature for hotel in city.hotels},
        "diet": {tavern.cuisine for tavern in city.taverns},
        "attractions": {name for sight in city.sights for name in sight.type_names},
        "rhythm": {*TAG_SETS["rhythm"]},
    }
    return {name: tuple(tag for tag in TAG_SETS[name] if tag in found[name] - VAGUE) for name in CATEGORIES}


def _modes(tables: Tables, start: str, target: str) -> set[str]:
    """Those that go there and back."""
    there, back = ({ride.kind for ride in tables.rides(*way)} for way in ((start, target), (target, start)))
    return there & back & {*BETWEEN_CITIES}
