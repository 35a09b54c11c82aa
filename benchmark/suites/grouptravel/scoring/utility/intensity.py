"""Points lost on days that are fuller or longer than a traveller wants."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.preferences.schema import FIELD
from benchmark.suites.grouptravel.preferences.tables import FieldValues
from benchmark.suites.grouptravel.scoring.published import day_limit
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.utility.points import Point, cap_point

_SIGHTS, _HOURS = FIELD["intensity.max_poi_per_day"], FIELD["intensity.max_active_hours"]


def intensity_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """Per day: too many sights, too many hours of sights and local transport."""
    held = wanted.get("", {})
    sights, hours = day_limit(held.get(_SIGHTS)), day_limit(held.get(_HOURS))
    for effort in trip.efforts if sights or hours else ():
        count = effort.shared_sights + effort.own_sights[user]
        spent = (effort.shared_minutes + effort.own_minutes[user]) / 60
        if sights and count > sights:
            yield cap_point(user, _SIGHTS, sights, effort.day.label, count)
        if hours and spent > hours:
            yield cap_point(user, _HOURS, hours, effort.day.label, spent)
