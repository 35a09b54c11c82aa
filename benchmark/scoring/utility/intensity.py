"""Points lost on days that are fuller or longer than a traveller wants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmark.itineraries.reading import ATTRACTION, TRANSIT, Day
from benchmark.preferences.tables import number, read
from benchmark.scoring.trip import Outing, Trip
from benchmark.scoring.utility.points import FIELD, Point, cap_point

_SIGHTS, _HOURS = FIELD["intensity.max_poi_per_day"], FIELD["intensity.max_active_hours"]
_ACTIVE = (ATTRACTION, TRANSIT)


def intensity_points(user: str, table: Any, trip: Trip) -> Iterator[Point]:
    """Per day: too many sights, too many hours of sights and local transport."""
    sights, hours = number(read(table, _SIGHTS)), number(read(table, _HOURS))
    if sights is None and hours is None:
        return
    for day, outings in _active_days(user, trip):
        count = sum(outing.activity.kind == ATTRACTION for outing in outings)
        if sights is not None and count > sights:
            yield cap_point(user, _SIGHTS, sights, day.label, count)
        spent = sum(outing.activity.duration for outing in outings) / 60
        if hours is not None and spent > hours:
            yield cap_point(user, _HOURS, hours, day.label, spent)


def _active_days(user: str, trip: Trip) -> list[tuple[Day, Sequence[Outing]]]:
    days: dict[int, tuple[Day, list[Outing]]] = {}
    for stay in trip.stays:
        mine = days.setdefault(stay.day.index, (stay.day, []))[1]
        mine += [o for o in stay.outings if o.activity.kind in _ACTIVE and user in o.who]
    return list(days.values())
