"""Who is worst off, and what it is that they lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, HOTEL
from benchmark.suites.grouptravel.preferences import FIELD, FieldValues, PreferenceField, Topic, paths_in
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip
from benchmark.suites.grouptravel.scoring.utility import Point

Reason = Literal["counted", "overlap", "unknown", "apart", "absent"]
_ORDER: tuple[Reason, ...] = ("counted", "overlap", "unknown", "apart")
"""Which account stands for a wish of which the plan has several places: the one nearest to a point."""
KINDS: dict[Topic, str] = {
    "attraction_name": ATTRACTION,
    "attraction_category": ATTRACTION,
    "food": FOOD,
    "hotel": HOTEL,
}
_NAME_FIELDS = (FIELD["attractions.must_visit"], FIELD["attractions.reject_visit"])


class PlacesThere(NamedTuple):
    """Places of one kind in one city. text: all their names; categories: all that the catalogue knows of them."""

    outings: list[Outing]
    text: str
    categories: frozenset[str]


class _Account(NamedTuple):
    """What became of a wish at one place of the plan."""

    reason: Reason
    place: str = ""
    day: Any = None
    by: Point | None = None


_ABSENT = _Account("absent")._asdict()


def fairness_evidence(
    scores: Mapping[str, float],
    points: Mapping[str, Sequence[Point]],
    wanted: Mapping[str, FieldValues],
    trip: Trip,
) -> dict[str, Any]:
    """{least, most: users, low, high: their scores, costs, unmet}.

    costs: the points that those in `least` lose. unmet: {user, path, item, points, reason, place, day, by} of what
    they would have liked and earned no point for. reason: `absent`, nothing of it is in the plan; else place and
    day say where it is, and it is `counted` already as `by`, a point; left out for an `overlap` in time;
    `unknown` to the catalogue; or they are not among those who go there (`apart`). When all score alike nobody is
    worst off: both lists of users are empty.
    """
    low, high = min(scores.values(), default=0), max(scores.values(), default=0)
    least = [user for user, score in scores.items() if score == low < high]
    there = places_in(trip) if least else {}
    return {
        "least": least,
        "most": [user for user, score in scores.items() if low < high == score],
        "low": low,
        "high": high,
        "costs": [point for user in least for point in points.get(user, ()) if point["points"] < 0],
        "unmet": [
            {"user": user, "path": paths_in(city)[field], "item": item, "points": field.points}
            | account(user, field, item, points[user], there.get(where(field, city)), trip)
            for user in least
            if user in wanted
            for field, city, item in unmet_wishes(wanted[user], points[user])
        ],
    }


def places_in(trip: Trip) -> dict[tuple[str, str], PlacesThere]:
    """Sights, meals and nights by kind and city; nights, for which the city does not matter, under ""."""
    outings_by_place: dict[tuple[str, str], list[Outing]] = {(HOTEL, ""): trip.nights}
    for kind in (ATTRACTION, FOOD):
        for outing in trip.places[kind]:
            if outing.activity.location:
                outings_by_place.setdefault((kind, outing.block.city), []).append(outing)
    return {key: _places_there(outings) for key, outings in outings_by_place.items()}


def _places_there(outings: list[Outing]) -> PlacesThere:
    names = "\n".join([outing.activity.location for outing in outings])
    return PlacesThere(outings, names, frozenset([o.place.category for o in outings if o.place is not None]))


def where(field: PreferenceField, city: str) -> tuple[str, str]:
    return KINDS.get(field.topic, ""), "" if field.scope == "global" else city


def unmet_wishes(wanted: FieldValues, points: Sequence[Point]) -> Iterator[tuple[PreferenceField, str, str]]:
    met = {(point["path"], point["item"]) for point in points if point["points"] > 0}
    for city, held in wanted.items():
        paths = paths_in(city)
        for field, value in held.items():
            if field.positive and isinstance(value, list):
                for item in value:
                    if isinstance(item, str) and (paths[field], item) not in met:
                        yield field, city, item


def account(
    user: str,
    field: PreferenceField,
    item: str,
    points: Sequence[Point],
    there: PlacesThere | None,
    trip: Trip,
) -> dict[str, Any]:
    """The best account of the places that have something of `item`."""
    if field.topic == "transport":
        return _of_legs(item, points, trip)
    if there is None or (item not in there.text and item not in there.categories):
        return _ABSENT
    accounts = [_at(user, outing, points, trip) for outing in there.outings if _has(outing, field, item)]
    return min(accounts, key=lambda account: _ORDER.index(account.reason))._asdict() if accounts else _ABSENT


def _has(outing: Outing, field: PreferenceField, item: str) -> bool:
    """Whether a place is what `item` names: by its own name or, but for sights by name, by its kind."""
    place, name = outing.place, outing.activity.location
    if place is not None and place.category == item and field.topic != "attraction_name":
        return True
    return item in name and (field.topic != "hotel" or place is None)


def _at(user: str, outing: Outing, points: Sequence[Point], trip: Trip) -> _Account:
    place, day = outing.activity.location, outing.day.label
    if outing.activity.kind != HOTEL and user not in outing.who:
        return _Account("apart", place, day)
    if _left_out(outing, trip):
        return _Account("overlap", place, day)
    by = _point_at(points, day, outing.block.at, outing.activity.at) or _named_point(points, outing)
    return _Account("counted" if by else "unknown", place, day, by)


def _point_at(points: Sequence[Point], *place: Any) -> Point | None:
    return next((p for p in points if (p["day"], p["segment"], p["activity"]) == place), None)


def _named_point(points: Sequence[Point], outing: Outing) -> Point | None:
    """The point of a sight that is named, which its first visit alone earns."""
    paths = [paths_in(outing.block.city)[field] for field in _NAME_FIELDS]
    name = outing.activity.location if outing.activity.kind == ATTRACTION else ""
    return next((p for p in points if p["path"] in paths and name and p["item"] in name), None)


def _left_out(outing: Outing, trip: Trip) -> bool:
    """Whether it earns nothing because something else overlaps it."""
    if not trip.overlaps or outing.activity.kind == HOTEL:
        return False
    visits = (trip.sights if outing.activity.kind == ATTRACTION else trip.meals).get(outing.block.city)
    return visits is None or outing not in visits.outings


def _of_legs(mode: str, points: Sequence[Point], trip: Trip) -> dict[str, Any]:
    for day, leg in trip.legs:
        if leg.mode == mode:
            by = _point_at(points, day.label, leg.at, None)
            return _Account("counted", f"{leg.from_city} → {leg.to_city}", day.label, by)._asdict()
    return _ABSENT
