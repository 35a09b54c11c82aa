"""Points for the mode of every inter-city leg, for every user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmark.itineraries.reading import Day, Leg
from benchmark.preferences.schema import PreferenceField
from benchmark.preferences.tables import read
from benchmark.scoring.trip import Trip
from benchmark.scoring.utility.points import FIELD, Point, listed

_FIELDS = tuple(FIELD[f"transport.{tier}"] for tier in ("must", "reject", "prefer", "avoid"))


def transport_points(user: str, table: Any, trip: Trip) -> Iterator[Point]:
    """Must and reject may both hold; without either, prefer comes before avoid."""
    wanted = [(field, value) for field in _FIELDS if (value := read(table, field))]
    for day, leg in trip.legs if wanted else ():
        held = [field for field, value in wanted if leg.mode and listed(leg.mode, value)]
        strong = [field for field in held if field.strength == "strong"]
        for field in strong or held[:1]:
            yield _leg_point(user, field, day, leg)


def _leg_point(user: str, field: PreferenceField, day: Day, leg: Leg) -> Point:
    name = f"{leg.from_city} → {leg.to_city}"
    return Point(
        user,
        field.path_in(""),
        field.tier,
        field.strength,
        leg.mode,
        field.points,
        day.label,
        leg.index,
        None,
        name,
        "category",
    )
