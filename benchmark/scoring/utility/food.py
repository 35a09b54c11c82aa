"""Points for meals: by the restaurant's name, else by its cuisine; every meal counts."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.preferences.schema import PreferenceField
from benchmark.preferences.tables import FieldValues
from benchmark.scoring.trip import Outing, Trip
from benchmark.scoring.utility.points import (
    FIELD,
    Point,
    Stated,
    first_part,
    held_fields,
    names,
    stated,
    visit_point,
)

_FIELDS = tuple(FIELD[f"food.{tier}_eat"] for tier in ("must", "reject", "prefer", "avoid"))


def food_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """Meals in restaurants that the catalogue knows."""
    for city, all_visits in trip.meals.items():
        visits = [visit for visit in all_visits if visit.place and user in visit.who]
        here = stated(wanted, _FIELDS, city) if visits else ()
        named = _named(here)
        for visit in visits if here else ():
            yield from _meal_points(user, visit, here, named)


def _named(wanted: Stated) -> dict[str, PreferenceField]:
    """Each item with the first field that holds it, in the order in which names are tried."""
    found: dict[str, PreferenceField] = {}
    for field, value in wanted:
        for item in names(value):
            found.setdefault(item, field)
    return found


def _meal_points(user: str, visit: Outing, wanted: Stated, named: dict[str, PreferenceField]) -> list[Point]:
    item = first_part(visit.activity.location, named)
    if item is not None:
        return [visit_point(user, named[item], item, visit, "name")]
    cuisine = visit.place.category if visit.place else ""
    return [visit_point(user, field, cuisine, visit, "category") for field in held_fields(cuisine, wanted)]
