"""Points for meals: by the restaurant's name, else by its cuisine; every meal counts."""

from __future__ import annotations

from benchmark.suites.grouptravel.preferences.schema import FIELD, PreferenceField
from benchmark.suites.grouptravel.preferences.tables import FieldValues
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip
from benchmark.suites.grouptravel.scoring.utility.points import (
    Point,
    Stated,
    first_part,
    held_fields,
    stated,
    visit_point,
)

_FIELDS = tuple(FIELD[f"food.{tier}_eat"] for tier in ("must", "reject", "prefer", "avoid"))


def food_points(user: str, wanted: FieldValues, trip: Trip) -> list[Point]:
    """Meals in restaurants that the catalogue knows."""
    points: list[Point] = []
    for city, (outings, text) in trip.meals.items():
        here = stated(wanted.get(city, {}), _FIELDS)
        named = _named(here, text)
        for visit in outings if here else ():
            if visit.place and user in visit.who:
                _add_points(points, user, visit, visit.place.category, here, named)
    return points


def _named(wanted: Stated, text: str) -> dict[str, PreferenceField]:
    """Each item in `text` with the first field that holds it, in the order in which names are tried."""
    found: dict[str, PreferenceField] = {}
    for field, value in wanted:
        for item in value:
            if isinstance(item, str) and item in text:
                found.setdefault(item, field)
    return found


def _add_points(
    points: list[Point],
    user: str,
    visit: Outing,
    cuisine: str,
    wanted: Stated,
    named: dict[str, PreferenceField],
) -> None:
    item = first_part(visit.activity.location, named) if named else None
    if item is not None:
        points.append(visit_point(user, named[item], item, visit, "name"))
        return
    if fields := held_fields(cuisine, wanted):
        points += [visit_point(user, field, cuisine, visit, "category") for field in fields]
