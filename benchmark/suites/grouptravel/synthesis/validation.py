"""What may not stand in a table, and what a route makes of it (GroupTravelBench, A.4 and 3.2, stage 4)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import combinations
from typing import Any, Literal, NamedTuple

from benchmark.remarks import Remark, gettext_noop
from benchmark.suites.grouptravel.preferences import (
    CITY_ROOT,
    FIELD,
    FIELDS,
    TRANSPORT_MODES,
    PreferenceField,
    descend,
    filled_fields,
    number,
    read,
    table_of,
)
from benchmark.suites.grouptravel.synthesis.candidates import Candidates
from benchmark.suites.grouptravel.synthesis.constraints import LUXURY, LUXURY_FROM
from benchmark.suites.grouptravel.synthesis.resources import Trip
from sandbox.worlds.records import HOTEL_CLASSES

FaultKind = Literal[
    "shape", "city", "unknown", "closed", "two_tiers", "budget", "no_negative", "incoherent", "inheritance",
]  # fmt: skip
MOST_ITEMS = 6
"""Items of one class of preference (sights or food of a city) beyond which a table is no published one; D.1 asks for
two to four."""


FAULT_WORDS: Mapping[str, str] = {
    "no_negative": gettext_noop("avoids and rejects nothing; name at least one thing"),
    "no_cities": gettext_noop("must be an object with the names of cities as keys"),
    "other_cities": gettext_noop("lists %(held)s, but the trip visits %(wanted)s; name those cities"),
    "no_number": gettext_noop("must be a whole number above 0, not %(value)s"),
    "no_list": gettext_noop("must be a list, not %(value)s"),
    "no_texts": gettext_noop("must contain only texts"),
    "twice": gettext_noop("contains an item twice"),
    "closed": gettext_noop("%(item)s is closed on every day of the trip"),
    "no_mode": gettext_noop("%(item)s is not a means of transport; there are %(known)s"),
    "no_hotel_class": gettext_noop("%(item)s is not one of the 13 hotel classes"),
    "no_sight": gettext_noop("%(item)s is not a sight of %(city)s"),
    "no_sight_category": gettext_noop("%(item)s is not a category of sights in %(city)s"),
    "no_food": gettext_noop("%(item)s is neither a category of food nor a restaurant in %(city)s"),
    "two_tiers": gettext_noop("%(item)s is also in %(other)s"),
    "poor": gettext_noop(
        "%(budget)s CNY are less than the cheapest fares (%(fares)s) with food and nights (%(food)s)"
    ),
    "no_luxury": gettext_noop("%(budget)s CNY can't pay for %(luxury)s, which needs %(least)s"),
}
"""What can be wrong with one table, as pages say it; models are told by the lines of faults.txt with these keys."""


class Fault(NamedTuple):
    """Something for which a table is made again. path: the dotted field. message: what is wrong."""

    kind: FaultKind
    user: str
    path: str
    message: Remark

    def __str__(self) -> str:
        return str(self.remark())

    def remark(self) -> Remark:
        """All of it as one sentence."""
        values = {"user": self.user, "path": self.path, "message": self.message}
        return Remark("%(user)s, %(path)s: %(message)s" if self.path else "%(user)s: %(message)s", values)


class SettledTable(NamedTuple):
    """A table without what stood in a weaker tier beside a stronger one. removed_items: (path, item) of what went."""

    table: dict[str, Any]
    removed_items: tuple[tuple[str, str], ...]


def settle_tiers(table: Mapping[str, Any]) -> SettledTable:
    """Leave an item that stands in two tiers of one field in the stronger: must or reject before prefer or avoid.

    Two tiers of one strength are left as they are: they are a fault (`check_table`).
    """
    kept, removed = deepcopy(dict(table)), list[tuple[str, str]]()
    for city, group in _groups(kept):
        strong = {item for field in group if field.strength == "strong" for item in _list(kept, field, city)}
        for field in group:
            held = _list(kept, field, city)
            if field.strength == "weak" and (twice := [item for item in held if item in strong]):
                removed += [(field.path_in(city) if city else field.path, item) for item in twice]
                held[:] = [item for item in held if item not in strong]
    return SettledTable(kept, tuple(removed))


def check_table(user: str, table: Any, trip: Trip) -> list[Fault]:
    """Everything that is wrong with one table, in the order of its fields; empty where nothing is.

    What can't be read is told, and the rest is looked at all the same. Existence: names and categories are among the
    city's candidates, hotel classes among the 13, modes among the four; a sight that must be seen is open some day.
    Tiers: nothing in two of one field. Budget: at least the cheapest fares, food and nights. At least one negative
    item. A low budget prefers no luxury.
    """
    return list(_faults(user, table, trip))


def _faults(user: str, table: Any, trip: Trip) -> Iterator[Fault]:
    misshapen = list(_misshapen(user, table, trip))
    yield from misshapen
    sound = _readable(table, trip) if misshapen else table
    yield from _unknown_items(user, sound, trip)
    yield from _repeated_items(user, sound)
    yield from _poor(user, sound, trip)
    if not misshapen and not any(
        not field.positive and field.kind == "list" for field, _, _ in filled_fields(sound)
    ):
        why = FAULT_WORDS["no_negative"]
        yield Fault("no_negative", user, "", Remark(why))


# Shape.


def _misshapen(user: str, table: Any, trip: Trip) -> Iterator[Fault]:
    """Fields of another type, and cities that are not those of the trip in its order."""
    cities = descend(table, (CITY_ROOT,))
    if not isinstance(cities, dict):
        why = FAULT_WORDS["no_cities"]
        yield Fault("shape", user, CITY_ROOT, Remark(why))
        return
    if tuple(cities) != trip.skeleton.cities:
        why = FAULT_WORDS["other_cities"]
        held, wanted = ", ".join(cities) or "–", ", ".join(trip.skeleton.cities)
        yield Fault("city", user, CITY_ROOT, Remark(why, {"held": held, "wanted": wanted}))
    for field in FIELDS:
        for city in ("",) if field.scope == "global" else _cities_of(cities, trip):
            if message := _wrong_type(field, read(table, field, city)):
                yield Fault("shape", user, field.path_in(city), message)


def _wrong_type(field: PreferenceField, value: Any) -> Remark | None:
    if field.kind == "scalar":
        whole = isinstance(value, int) and not isinstance(value, bool) and number(value) is not None
        why = FAULT_WORDS["no_number"]
        return None if whole else Remark(why, {"value": repr(value)})
    if not isinstance(value, list):
        return Remark(FAULT_WORDS["no_list"], {"value": repr(value)})
    if not all(isinstance(item, str) and item for item in value):
        return Remark(FAULT_WORDS["no_texts"])
    return Remark(FAULT_WORDS["twice"]) if len(set(value)) < len(value) else None


def _cities_of(cities: Any, trip: Trip) -> list[str]:
    """The cities of the trip that a table knows."""
    return [city for city in trip.skeleton.cities if isinstance(cities, dict) and city in cities]


def _readable(table: Any, trip: Trip) -> dict[str, Any]:
    """What is left of a table without what has another shape."""

    def value(field: PreferenceField, city: str) -> Any:
        held = read(table, field, city)
        if field.kind == "scalar":
            return None if _wrong_type(field, held) else held
        texts = (item for item in held if isinstance(item, str) and item) if isinstance(held, list) else ()
        return list(dict.fromkeys(texts))

    return table_of(_cities_of(descend(table, (CITY_ROOT,)), trip), value)


# Existence.


def _unknown_items(user: str, table: Any, trip: Trip) -> Iterator[Fault]:
    for field, city, value in filled_fields(table):
        if field.kind != "list":
            continue
        for item in value:
            message = _missing(field, item, trip.candidates.get(city))
            if message:
                yield Fault("unknown", user, field.path_in(city), message)
            elif field is FIELD["attractions.must_visit"] and _closed(item, city, trip):
                why = FAULT_WORDS["closed"]
                yield Fault("closed", user, field.path_in(city), Remark(why, {"item": item}))


def _missing(field: PreferenceField, item: str, candidates: Candidates | None) -> Remark | None:
    if field.topic == "transport":
        why = FAULT_WORDS["no_mode"]
        known = ", ".join(TRANSPORT_MODES)
        return None if item in TRANSPORT_MODES else Remark(why, {"item": item, "known": known})
    if field.topic == "hotel":
        why = FAULT_WORDS["no_hotel_class"]
        return None if item in HOTEL_CLASSES else Remark(why, {"item": item})
    assert candidates is not None
    there: Container[str] = {*candidates.foods, *candidates.restaurants}
    if field.topic == "attraction_name":
        there, why = candidates.names, FAULT_WORDS["no_sight"]
    elif field.topic == "attraction_category":
        there, why = candidates.attractions, FAULT_WORDS["no_sight_category"]
    else:
        why = FAULT_WORDS["no_food"]
    return None if item in there else Remark(why, {"item": item, "city": candidates.city})


def _closed(name: str, city: str, trip: Trip) -> bool:
    sight = trip.candidates[city].by_name.get(name)
    return sight is not None and sight.closed(trip.skeleton.dates)


# One tier for one item.


def _groups(table: Mapping[str, Any]) -> Iterator[tuple[str, list[PreferenceField]]]:
    """The fields that speak of the same kind of thing, by city."""
    by_topic: dict[tuple[str, str], list[PreferenceField]] = {}
    for field in FIELDS:
        if field.kind == "list":
            by_topic.setdefault((field.scope, field.topic), []).append(field)
    cities = descend(table, (CITY_ROOT,))
    for (scope, _), fields in by_topic.items():
        for city in ("",) if scope == "global" else tuple(cities or ()):
            yield city, fields


def _list(table: Any, field: PreferenceField, city: str) -> list[str]:
    held = read(table, field, city)
    return held if isinstance(held, list) else []


def _repeated_items(user: str, table: Any) -> Iterator[Fault]:
    for city, fields in _groups(table):
        for one, other in combinations(fields, 2):
            for item in _list(table, one, city):
                if item in _list(table, other, city):
                    why = FAULT_WORDS["two_tiers"]
                    values = {"item": item, "other": other.path_in(city)}
                    yield Fault("two_tiers", user, one.path_in(city), Remark(why, values))


# Money.


def _poor(user: str, table: Any, trip: Trip) -> Iterator[Fault]:
    budget, least = read(table, FIELD["avg_budget"]), trip.least_cost()
    path = FIELD["avg_budget"].path
    if budget is None:
        return
    if budget < least:
        why = FAULT_WORDS["poor"]
        fares = trip.route.lowest()
        values = {"budget": budget, "fares": f"{fares:.0f}", "food": f"{least - fares:.0f}"}
        yield Fault("budget", user, path, Remark(why, values))
    if budget < LUXURY_FROM and LUXURY in _list(table, FIELD["hotel_preference.prefer"], ""):
        why = FAULT_WORDS["no_luxury"]
        values = {"budget": budget, "luxury": LUXURY, "least": LUXURY_FROM}
        yield Fault("incoherent", user, FIELD["hotel_preference.prefer"].path, Remark(why, values))


# Reachability.


def unreachable(table: Mapping[str, Any], trip: Trip) -> list[str]:
    """Modes that somebody wants and the route lacks: one they insist on, on any leg; a preferred one, on all."""
    route = trip.route
    must = _list(table, FIELD["transport.must"], "")
    prefer = _list(table, FIELD["transport.prefer"], "")
    return [
        *(mode for mode in must if not route.goes_all_the_way(mode)),
        *(mode for mode in prefer if not route.goes_part_of_the_way(mode)),
    ]


def yielding(tables: Mapping[str, Mapping[str, Any]], trip: Trip) -> tuple[str, ...]:
    """The compromise pattern of a task in seat order: the skeleton's, and whoever wants a way that does not run."""
    flagged = {user for user, table in tables.items() if unreachable(table, trip)}
    seats = [member.slot for member in trip.archetype.members]
    return tuple(
        user for user in seats if user in tables and (user in trip.skeleton.pattern or user in flagged)
    )


# What is copied.

_GLOBALS = [field for field in FIELDS if field.scope == "global"]
_MINOR = [
    FIELD[path]
    for path in (
        "attractions.category_pref.positive", "attractions.category_pref.negative", "food.prefer_eat",
        "food.avoid_eat",
    )
]  # fmt: skip


def check_inheritance(tables: Mapping[str, Any], trip: Trip) -> list[Fault]:
    """Where a copy differs from its source in what it takes over word for word."""
    faults = []
    for member in trip.archetype.members:
        if member.reference is None or member.slot not in tables:
            continue
        fields = [*_GLOBALS, *(_MINOR if member.generation == "copy_minor" else ())]
        for field in fields:
            for city in ("",) if field.scope == "global" else trip.skeleton.cities:
                own = read(tables[member.slot], field, city)
                if own != read(tables[member.reference], field, city):
                    why = gettext_noop("differs from %(source)s, of which it is a copy (%(kind)s)")
                    values = {"source": member.reference, "kind": member.generation}
                    faults.append(Fault("inheritance", member.slot, field.path_in(city), Remark(why, values)))
    return faults


def check_group(tables: Mapping[str, Any], trip: Trip) -> list[Fault]:
    """Everything that is wrong with the tables of a task."""
    order: Sequence[str] = trip.archetype.generation_order
    if tuple(tables) != tuple(order):
        why = gettext_noop("the tables are in the order %(order)s; expected %(expected)s")
        values = {"order": ", ".join(tables), "expected": ", ".join(order)}
        return [Fault("shape", next(iter(tables), ""), "", Remark(why, values))]
    faults = [fault for user, table in tables.items() for fault in check_table(user, table, trip)]
    return faults or check_inheritance(tables, trip)
