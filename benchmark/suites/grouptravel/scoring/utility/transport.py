"""Points for the mode of every inter-city leg, for every user."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.itineraries.reading import Day, Leg
from benchmark.suites.grouptravel.preferences.schema import FIELD, PreferenceField
from benchmark.suites.grouptravel.preferences.tables import FieldValues
from benchmark.suites.grouptravel.scoring.published import mode_of
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.utility.points import Point, held_fields, stated

_FIELDS = tuple(FIELD[f"transport.{tier}"] for tier in ("must", "reject", "prefer", "avoid"))


def transport_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """One leg, one mode."""
    modes = stated(wanted.get("", {}), _FIELDS)
    for day, leg in trip.legs if modes else ():
        for field in held_fields(mode_of(leg), modes):
            yield _leg_point(user, field, day, leg)


def _leg_point(user: str, field: PreferenceField, day: Day, leg: Leg) -> Point:
    return {
        "user": user,
        "path": field.path,
        "tier": field.tier,
        "strength": field.strength,
        "item": leg.mode,
        "points": field.points,
        "day": day.label,
        "segment": leg.at,
        "activity": None,
        "place": f"{leg.from_city} → {leg.to_city}",
        "matched": "category",
    }
