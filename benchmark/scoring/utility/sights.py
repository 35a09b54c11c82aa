"""Points for sights: names once each, categories at every visit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmark.preferences.tables import cities, items, read
from benchmark.scoring.trip import Trip, Visit
from benchmark.scoring.utility.points import FIELD, Point, listed, visit_point, within

_NAMED = (FIELD["attractions.must_visit"], FIELD["attractions.reject_visit"])
_CATEGORIES = (FIELD["attractions.category_pref.positive"], FIELD["attractions.category_pref.negative"])


def sight_points(user: str, table: Any, trip: Trip) -> Iterator[Point]:
    """Named sights first; a visit that none of them names, to a known place, counts by category."""
    mine = [visit for visit in trip.sights if visit.counted and visit.name and user in visit.who]
    for city in cities(table) if mine else ():
        here = [visit for visit in mine if visit.city == city]
        if here:
            yield from _city_points(user, table, city, here)


def _city_points(user: str, table: Any, city: str, visits: Sequence[Visit]) -> Iterator[Point]:
    named: set[str] = set()
    for field in _NAMED:
        for item in items(read(table, field, city)):
            hits = [visit for visit in visits if isinstance(item, str) and item in visit.name]
            if hits:
                named.update(visit.name for visit in hits)
                yield visit_point(user, field, item, hits[0], "name")
    wanted = [(field, value) for field in _CATEGORIES if (value := read(table, field, city))]
    for visit in visits:
        if visit.place and visit.name not in named:
            yield from _category_points(user, visit, visit.place.category, wanted)


def _category_points(user: str, visit: Visit, category: str, wanted: Sequence[Any]) -> Iterator[Point]:
    for field, value in wanted:
        item = within(visit.name, value)
        if item is not None:
            yield visit_point(user, field, item, visit, "name")
        elif listed(category, value):
            yield visit_point(user, field, category, visit, "category")
