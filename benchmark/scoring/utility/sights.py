"""Points for sights: names once each, categories at every visit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.preferences.tables import FieldValues
from benchmark.scoring.trip import Outing, Trip
from benchmark.scoring.utility.points import FIELD, Point, first_part, names, stated, visit_point

_NAMED = (FIELD["attractions.must_visit"], FIELD["attractions.reject_visit"])
_CATEGORIES = (FIELD["attractions.category_pref.positive"], FIELD["attractions.category_pref.negative"])


def sight_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """Named sights first; a visit that none of them names, to a known place, counts by category."""
    for city, all_visits in trip.sights.items():
        visits = [visit for visit in all_visits if user in visit.who]
        if visits and city in wanted:
            named: set[str] = set()
            yield from _named_points(user, wanted, city, visits, named)
            known = [visit for visit in visits if visit.place and visit.activity.location not in named]
            yield from _category_points(user, wanted, city, known)


def _named_points(
    user: str, wanted: FieldValues, city: str, visits: Sequence[Outing], named: set[str]
) -> Iterator[Point]:
    """A point for each item that is part of a visited name, at its first visit; adds the names to `named`."""
    for field, value in stated(wanted, _NAMED, city):
        for item in names(value):
            hits = [visit for visit in visits if item in visit.activity.location]
            if hits:
                named.update([visit.activity.location for visit in hits])
                yield visit_point(user, field, item, hits[0], "name")


def _category_points(user: str, wanted: FieldValues, city: str, visits: Sequence[Outing]) -> Iterator[Point]:
    """Liked and disliked categories count independently: in the name, else as the place's category."""
    for field, value in stated(wanted, _CATEGORIES, city) if visits else ():
        parts = names(value)
        for visit in visits:
            item = first_part(visit.activity.location, parts)
            if item is not None:
                yield visit_point(user, field, item, visit, "name")
            elif visit.place and visit.place.category in value:
                yield visit_point(user, field, visit.place.category, visit, "category")
