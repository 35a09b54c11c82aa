"""Points for sights: names once each, categories at every visit."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.suites.grouptravel.preferences.schema import FIELD
from benchmark.suites.grouptravel.preferences.tables import FieldValues
from benchmark.suites.grouptravel.scoring.published import holds
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip
from benchmark.suites.grouptravel.scoring.utility.points import Point, Stated, first_part, stated, visit_point

_NAMED = (FIELD["attractions.must_visit"], FIELD["attractions.reject_visit"])
_CATEGORIES = (FIELD["attractions.category_pref.positive"], FIELD["attractions.category_pref.negative"])


def sight_points(user: str, wanted: FieldValues, trip: Trip) -> list[Point]:
    """Named sights first; a visit that none of them names, to a known place, counts by category."""
    points: list[Point] = []
    for city, (outings, text) in trip.sights.items():
        held = wanted.get(city)
        visits = [visit for visit in outings if user in visit.who] if held else []
        if held and visits:
            named = _add_named(points, user, stated(held, _NAMED), visits, text)
            _add_categories(points, user, stated(held, _CATEGORIES), visits, text, named)
    return points


def _add_named(
    points: list[Point], user: str, wanted: Stated, visits: Sequence[Outing], text: str
) -> set[str]:
    """A point for each item that is part of a visited name, at its first visit; returns these names."""
    named: set[str] = set()
    for field, value in wanted:
        for item in value:
            if isinstance(item, str) and item in text:
                hits = [visit for visit in visits if item in visit.activity.location]
                named.update([visit.activity.location for visit in hits])
                points += [visit_point(user, field, item, visit, "name") for visit in hits[:1]]
    return named


def _add_categories(
    points: list[Point], user: str, wanted: Stated, visits: Sequence[Outing], text: str, named: set[str]
) -> None:
    """Liked and disliked categories count independently: in the name, else as the place's category."""
    for field, value in wanted:
        parts = [item for item in value if isinstance(item, str) and item in text]
        for visit in visits:
            place = visit.place
            if place is None or visit.activity.location in named:
                continue
            item = first_part(visit.activity.location, parts) if parts else None
            if item is not None:
                points.append(visit_point(user, field, item, visit, "name"))
            elif holds(value, place.category):
                points.append(visit_point(user, field, place.category, visit, "category"))
