"""Group utility (GU): what a plan is worth to each traveller, point by point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from benchmark.suites.grouptravel.itineraries.reading import Day, Leg
from benchmark.suites.grouptravel.preferences import FIELD, FieldValues, PreferenceField, paths_in
from benchmark.suites.grouptravel.scoring.leniency import Tier, budget_limit, day_limit, mode_of, tier
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip

# One point of utility, with what earned it.


class Point(TypedDict):
    """A preference (`path`, `item`) met or violated by a part of the plan.

    tier: must, prefer, avoid, reject or cap; strength: strong or weak.
    day: the plan's label, None for the whole trip. segment, activity: places in `city_segments` and `activities`,
    None where the point is about a whole day or trip. place: the name in the plan's words (for a leg "A → B").
    matched: `name` or `category`, how the item was met, or the figure that went over a cap.
    """

    user: str
    path: str
    tier: str
    strength: str
    item: Any
    points: int
    day: Any
    segment: int | None
    activity: int | None
    place: str
    matched: str


PointRule = Callable[[str, FieldValues, Trip], Iterable[Point]]
HeldFields = Mapping[PreferenceField, Any]
StatedTiers = Sequence[tuple[PreferenceField, Tier]]
_NOTHING: HeldFields = {}


def visit_point(user: str, field: PreferenceField, item: str, visit: Outing, matched: str) -> Point:
    """A point for `visit`, in the city of which the preference speaks."""
    activity = visit.activity
    return {
        "user": user,
        "path": paths_in(visit.block.city)[field],
        "tier": field.tier,
        "strength": field.strength,
        "item": item,
        "points": field.points,
        "day": visit.day.label,
        "segment": visit.block.at,
        "activity": activity.at,
        "place": activity.location,
        "matched": matched,
    }


def cap_point(user: str, field: PreferenceField, cap: float, day: Any, figure: float) -> Point:
    """The points lost because `figure` exceeds `cap` on `day` (None: over the whole trip)."""
    return {
        "user": user,
        "path": field.path,
        "tier": field.tier,
        "strength": field.strength,
        "item": cap,
        "points": field.points,
        "day": day,
        "segment": None,
        "activity": None,
        "place": "",
        "matched": f"{figure:g}",
    }


def stated_tiers(held: HeldFields, fields: Sequence[PreferenceField]) -> StatedTiers:
    """The fields among `fields` that the table fills, each with its items, in this order."""
    return [
        (f, given)
        for f in fields
        if f in held and (given := value if type(value := held[f]) is list else tier(value)) is not None
    ]


def fitting_tiers(held: HeldFields, fields: Sequence[PreferenceField], text: str) -> StatedTiers:
    """The same, without those of which no item is part of the `text` of all visits.

    They earn nothing, and most of a table is of that kind.
    """
    tiers: list[tuple[PreferenceField, Tier]] = []
    for field in fields:
        value = held.get(field)
        if type(value) is list:
            for item in value:
                if type(item) is str and item in text:
                    tiers.append((field, value))
                    break
        elif (given := tier(value)) is not None:
            tiers.append((field, given))
    return tiers


def first_part(name: str, parts: Iterable[str]) -> str | None:
    """The first of `parts` that is contained in `name`."""
    for part in parts:
        if part in name:
            return part
    return None


def held_fields(name: Any, wanted: StatedTiers) -> list[PreferenceField]:
    """The fields that list `name`: all strong ones (must, reject), or if there is none, the first weak one."""
    strong: list[PreferenceField] = []
    weak: list[PreferenceField] = []
    for field, value in wanted:
        if (type(value) is list or type(name) is str) and name in value:
            (strong if field.strength == "strong" else weak).append(field)
    return strong or weak[:1]


# Points for sights: names once each, categories at every visit.


_NAME_FIELDS = (FIELD["attractions.must_visit"], FIELD["attractions.reject_visit"])
_CATEGORIES = (FIELD["attractions.category_pref.positive"], FIELD["attractions.category_pref.negative"])


def sight_points(user: str, wanted: FieldValues, trip: Trip) -> list[Point]:
    """Named sights first; a visit that none of them names, to a known place, counts by category."""
    points: list[Point] = []
    for city, (outings, text) in trip.sights.items():
        held = wanted.get(city, _NOTHING)
        names, categories = fitting_tiers(held, _NAME_FIELDS, text), fitting_tiers(held, _CATEGORIES, text)
        if names or categories:
            visits = [visit for visit in outings if user in visit.who]
            named = _add_named(points, user, names, visits, text)
            known = [v for v in visits if v.place is not None and v.activity.location not in named]
            _add_categories(points, user, categories, known, text)
    return points


def _add_named(
    points: list[Point], user: str, wanted: StatedTiers, visits: Sequence[Outing], text: str
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
    points: list[Point], user: str, wanted: StatedTiers, visits: Sequence[Outing], text: str
) -> None:
    """Liked and disliked categories count independently: in the name, else as the place's category."""
    for field, value in wanted:
        parts = [item for item in value if isinstance(item, str) and item in text]
        for visit in visits:
            item = first_part(visit.activity.location, parts) if parts else None
            if item is not None:
                points.append(visit_point(user, field, item, visit, "name"))
            elif visit.place is not None and visit.place.category in value:
                points.append(visit_point(user, field, visit.place.category, visit, "category"))


# Points for meals: by the restaurant's name, else by its cuisine; every meal counts.


_MEALS = tuple(FIELD[f"food.{tier}_eat"] for tier in ("must", "reject", "prefer", "avoid"))


def food_points(user: str, wanted: FieldValues, trip: Trip) -> list[Point]:
    """Points for meals; only restaurants in the catalogue count."""
    points: list[Point] = []
    for city, (outings, text) in trip.meals.items():
        here = fitting_tiers(wanted.get(city, _NOTHING), _MEALS, text)
        named = _named_in(here, text)
        for visit in outings if here else ():
            if visit.place and user in visit.who:
                _add_points(points, user, visit, visit.place.category, here, named)
    return points


def _named_in(wanted: StatedTiers, text: str) -> dict[str, PreferenceField]:
    """Each item in `text` with the first field that holds it, in the order in which names are tried."""
    names: dict[str, PreferenceField] = {}
    for field, value in wanted:
        for item in value:
            if isinstance(item, str) and item in text:
                names.setdefault(item, field)
    return names


def _add_points(
    points: list[Point],
    user: str,
    visit: Outing,
    cuisine: str,
    wanted: StatedTiers,
    named: dict[str, PreferenceField],
) -> None:
    item = first_part(visit.activity.location, named) if named else None
    if item is not None:
        points.append(visit_point(user, named[item], item, visit, "name"))
        return
    if fields := held_fields(cuisine, wanted):
        points += [visit_point(user, field, cuisine, visit, "category") for field in fields]


# Points for the mode of every inter-city leg, for every user.


_MODES = tuple(FIELD[f"transport.{tier}"] for tier in ("must", "reject", "prefer", "avoid"))


def transport_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """Points for the mode of each leg between cities."""
    modes = stated_tiers(wanted.get("", {}), _MODES)
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


# Points for the class of every hotel that the catalogue knows, for every user.


_CLASSES = (FIELD["hotel_preference.prefer"], FIELD["hotel_preference.avoid"])


def hotel_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """A preferred class earns a point, else an avoided one costs a point."""
    classes = stated_tiers(wanted.get("", {}), _CLASSES)
    for visit in trip.nights if classes else ():
        if visit.place:
            for field in held_fields(visit.place.category, classes):
                yield visit_point(user, field, visit.place.category, visit, "category")


# Points lost on days that are fuller or longer than a traveller wants.


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


# Points lost when the trip costs one traveller more than they can spend.


_BUDGET = FIELD["avg_budget"]


def budget_points(user: str, wanted: FieldValues, trip: Trip) -> Iterator[Point]:
    """Points lost once a trip if legs, hotels and meals cost the user more than the budget; tickets do not count."""
    cap = budget_limit(wanted.get("", {}).get(_BUDGET))
    if cap is None:
        return
    total = trip_cost(user, trip)
    if total > cap:
        yield cap_point(user, _BUDGET, cap, None, total)


def trip_cost(user: str, trip: Trip) -> float:
    """CNY per person that count against the budget of `user`."""
    # Costs are added one by one: `sum` rounds differently from Python 3.12 on, and golden files have the results.
    total = 0.0
    for who, cost in trip.costs:
        if user in who:
            total += cost
    return total


PUBLISHED_POINTS: tuple[PointRule, ...] = (
    sight_points,
    food_points,
    transport_points,
    hotel_points,
    intensity_points,
    budget_points,
)
