"""Points for the class of every hotel that the catalogue knows, for every user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmark.preferences.tables import read
from benchmark.scoring.trip import Trip
from benchmark.scoring.utility.points import FIELD, Point, listed, visit_point

_FIELDS = (FIELD["hotel_preference.prefer"], FIELD["hotel_preference.avoid"])


def hotel_points(user: str, table: Any, trip: Trip) -> Iterator[Point]:
    """A preferred class earns a point, else an avoided one costs a point."""
    wanted = [(field, value) for field in _FIELDS if (value := read(table, field))]
    for visit in trip.nights if wanted else ():
        if visit.place:
            hotel_class = visit.place.category
            held = next((field for field, value in wanted if listed(hotel_class, value)), None)
            if held:
                yield visit_point(user, held, hotel_class, visit, "category")
