"""Points for the class of every hotel that the catalogue knows, for every user."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.preferences.schema import FIELD
from benchmark.suites.grouptravel.preferences.tables import FieldValues
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.utility.points import Point, held_fields, stated, visit_point

_FIELDS = (FIELD["hotel_preference.prefer"], FIELD["hotel_preference.avoid"])


def hotel_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """A preferred class earns a point, else an avoided one costs a point."""
    classes = stated(wanted.get("", {}), _FIELDS)
    for visit in trip.nights if classes else ():
        if visit.place:
            for field in held_fields(visit.place.category, classes):
                yield visit_point(user, field, visit.place.category, visit, "category")
