"""What a plan holds for one traveller, by the published scoring's own points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from benchmark.suites.grouptravel.itineraries import read_plan
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD
from benchmark.suites.grouptravel.preferences import FieldValues
from benchmark.suites.grouptravel.scoring import PROFILES, Catalogue
from benchmark.suites.grouptravel.scoring.trip import Outing, Trip, Visits, prepare
from benchmark.suites.grouptravel.scoring.utility import Point
from benchmark.suites.grouptravel.travellers.scripted.wishes import Wishes
from benchmark.text import guarded

_KINDS = {ATTRACTION: "attractions", FOOD: "food"}
_SHORTEST = 2
"""Characters of a name that tell a place."""
_NO_CATEGORY = "\0"
"""What no table holds: a place of which only the name is known."""


_KIND_OF_PLACE = guarded.compile(
    r"(?:国家)?(?:重点)?(?:风景|旅游|文化)*(?:名胜)?(?:区|景区|度假区)|(?:国家)?(?:湿地|森林|遗址)?公园"
    r"|(?:历史)?(?:文化)?(?:街区|老街|步行街)|古镇|古城|景点|旅游区|遗址"
)
"""What may follow a place's name without making it another place."""


def same_place(one: str, other: str, city: str) -> bool:
    """Whether two names of sights in a city are of one place: 西湖, 杭州西湖 and 西湖风景名胜区."""
    short, long = sorted((_plain(one, city), _plain(other, city)), key=len)
    if len(short) < _SHORTEST or not long.startswith(short):
        return False
    return long == short or _KIND_OF_PLACE.fullmatch(long[len(short) :]) is not None


def _plain(name: str, city: str) -> str:
    """A name without the city before it and without brackets."""
    name = guarded.sub(r"[(（][^()（）]*[)）]", "", name).strip()
    return name.removeprefix(city).removeprefix(city.removesuffix("市")) or name


def trip_of(plan: Any, user: str, users: Iterable[str], catalogue: Catalogue | None = None) -> Trip:
    """The plan as a traveller looks at it: what overlaps in time earns no points, but is in the plan all the same.

    Without a catalogue places are known by their names alone, and hotels not at all.
    """
    group = tuple(dict.fromkeys((*users, user)))
    trip = prepare(plan, group, _of_names(plan) if catalogue is None else catalogue)
    return replace(trip, sights=_visits(trip.outings, ATTRACTION), meals=_visits(trip.outings, FOOD))


def points_of(user: str, held: Wishes, trip: Trip) -> list[Point]:
    """What the published rules count for and against `user` with these wishes."""
    wanted = values_of(held)
    return [point for rule in PROFILES["published"].points for point in rule(user, wanted, trip)]


def values_of(held: Wishes) -> FieldValues:
    """The wishes by city ("" for global ones) and field, as the scoring reads a table."""
    wanted: FieldValues = {"": {}}
    for wish in held.all:
        own = wanted.setdefault(wish.city, {})
        own[wish.field] = list(wish.items) if wish.items else wish.cap
    return wanted


def _of_names(plan: Any) -> Catalogue:
    """The plan's own sights and restaurants, of no category."""
    places: dict[str, list[dict[str, str]]] = {}
    for day in read_plan(plan).days:
        for block in day.blocks:
            places.setdefault(block.city, []).extend(
                {"name": a.location, "custom_category": _NO_CATEGORY, "poi_type": _KINDS[a.kind]}
                for a in block.activities
                if a.kind in _KINDS
            )
    return Catalogue(places)


def _visits(outings: Sequence[Outing], kind: str) -> dict[str, Visits]:
    by_city: dict[str, list[Outing]] = {}
    for outing in outings:
        if outing.activity.kind == kind:
            by_city.setdefault(outing.block.city, []).append(outing)
    return {city: Visits.of(held) for city, held in by_city.items()}
