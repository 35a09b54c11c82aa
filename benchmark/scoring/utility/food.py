"""Points for meals: by the restaurant's name, else by its cuisine; every meal counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmark.preferences.schema import PreferenceField
from benchmark.preferences.tables import read
from benchmark.scoring.trip import Trip, Visit
from benchmark.scoring.utility.points import FIELD, Point, listed, visit_point, within

_BY_NAME = tuple(FIELD[f"food.{tier}_eat"] for tier in ("must", "reject", "prefer", "avoid"))
_Wanted = Sequence[tuple[PreferenceField, Any]]


def food_points(user: str, table: Any, trip: Trip) -> Iterator[Point]:
    """Meals in restaurants that the catalogue knows."""
    by_city: dict[str, _Wanted] = {}
    for visit in trip.meals:
        if visit.counted and visit.place and user in visit.who:
            wanted = by_city.get(visit.city)
            if wanted is None:
                wanted = by_city[visit.city] = [(f, read(table, f, visit.city)) for f in _BY_NAME]
            yield from _meal_points(user, visit, visit.place.category, wanted)


def _meal_points(user: str, visit: Visit, cuisine: str, wanted: _Wanted) -> Iterator[Point]:
    for field, value in wanted:
        item = within(visit.name, value) if value else None
        if item is not None:
            yield visit_point(user, field, item, visit, "name")
            return
    for field in _cuisine_fields(cuisine, wanted):
        yield visit_point(user, field, cuisine, visit, "category")


def _cuisine_fields(cuisine: str, wanted: _Wanted) -> list[PreferenceField]:
    """Must and reject may both hold; without either, prefer comes before avoid."""
    held = [field for field, value in wanted if value and listed(cuisine, value)]
    strong = [field for field in held if field.strength == "strong"]
    return strong or held[:1]
