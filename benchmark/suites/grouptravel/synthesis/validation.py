"""What may not stand in a table, and what a route makes of it (GroupTravelBench, A.4 and 3.2, stage 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import combinations
from typing import Any, Literal, NamedTuple

from benchmark.suites.grouptravel.preferences import (
    CITY_ROOT,
    FIELD,
    FIELDS,
    TRANSPORT_MODES,
    PreferenceField,
    descend,
    filled,
    number,
    read,
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


class Fault(NamedTuple):
    """Something for which a table is made again. path: the dotted field. message: what is wrong, as a sentence."""

    kind: FaultKind
    user: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.user}, {self.path}: {self.message}" if self.path else f"{self.user}: {self.message}"


class Settled(NamedTuple):
    """A table without what stood in a weaker tier beside a stronger one. removed: (path, item) of what went."""

    table: dict[str, Any]
    removed: tuple[tuple[str, str], ...]


def settled(table: Mapping[str, Any]) -> Settled:
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
    return Settled(kept, tuple(removed))


def check_table(user: str, table: Any, trip: Trip) -> list[Fault]:
    """Everything that is wrong with one table, in the order of its fields; empty where nothing is.

    Existence: names and categories are among the city's candidates, hotel classes among the 13, modes among the four;
    a sight that must be seen is open on some day. Tiers: nothing in two of one field. Budget: at least the cheapest
    fares, food and nights. At least one negative item. A low budget prefers no luxury.
    """
    return list(_faults(user, table, trip))


def _faults(user: str, table: Any, trip: Trip) -> Iterator[Fault]:
    misshapen = list(_misshapen(user, table, trip))
    yield from misshapen
    if misshapen:
        return
    yield from _unknown(user, table, trip)
    yield from _twice(user, table)
    yield from _poor(user, table, trip)
    if not any(not field.positive and field.kind == "list" for field, _, _ in filled(table)):
        yield Fault("no_negative", user, "", "avoids and rejects nothing; name at least one thing")


# Shape.


def _misshapen(user: str, table: Any, trip: Trip) -> Iterator[Fault]:
    """Fields of another type, and cities that are not those of the trip in its order."""
    cities = descend(table, (CITY_ROOT,))
    if not isinstance(cities, dict):
        yield Fault("shape", user, CITY_ROOT, "must be an object with a city's name for each key")
        return
    if tuple(cities) != trip.skeleton.cities:
        told = f"holds {', '.join(cities) or 'no city'}, the trip leads to {', '.join(trip.skeleton.cities)}"
        yield Fault("city", user, CITY_ROOT, told)
        return
    for field in FIELDS:
        for city in ("",) if field.scope == "global" else trip.skeleton.cities:
            if message := _wrong_type(field, read(table, field, city)):
                yield Fault("shape", user, field.path_in(city), message)


def _wrong_type(field: PreferenceField, value: Any) -> str:
    if field.kind == "scalar":
        whole = isinstance(value, int) and not isinstance(value, bool) and number(value) is not None
        return "" if whole else f"must be a whole number above 0, not {value!r}"
    if not isinstance(value, list):
        return f"must be a list, not {value!r}"
    if not all(isinstance(item, str) and item for item in value):
        return "must hold texts alone"
    return "holds an item twice" if len(set(value)) < len(value) else ""


# Existence.


def _unknown(user: str, table: Any, trip: Trip) -> Iterator[Fault]:
    for field, city, value in filled(table):
        if field.kind != "list":
            continue
        for item in value:
            message = _missing(field, item, trip.candidates.get(city))
            if message:
                yield Fault("unknown", user, field.path_in(city), f"{item} {message}")
            elif field is FIELD["attractions.must_visit"] and _closed(item, city, trip):
                yield Fault("closed", user, field.path_in(city), f"{item} is closed on every day of the trip")


def _missing(field: PreferenceField, item: str, candidates: Candidates | None) -> str:
    if field.topic == "transport":
        return "" if item in TRANSPORT_MODES else f"is no mode; there are {', '.join(TRANSPORT_MODES)}"
    if field.topic == "hotel":
        return "" if item in HOTEL_CLASSES else "is none of the 13 hotel classes"
    assert candidates is not None
    if field.topic == "attraction_name":
        return "" if item in candidates.names else f"is no sight of {candidates.city}"
    if field.topic == "attraction_category":
        return "" if item in candidates.attractions else f"is no category of sights in {candidates.city}"
    if item in candidates.foods or item in candidates.restaurants:
        return ""
    return f"is no category of food and no restaurant in {candidates.city}"


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


def _twice(user: str, table: Any) -> Iterator[Fault]:
    for city, fields in _groups(table):
        for one, other in combinations(fields, 2):
            for item in _list(table, one, city):
                if item in _list(table, other, city):
                    message = f"{item} stands in {other.path_in(city)} as well"
                    yield Fault("two_tiers", user, one.path_in(city), message)


# Money.


def _poor(user: str, table: Any, trip: Trip) -> Iterator[Fault]:
    budget, least = read(table, FIELD["avg_budget"]), trip.least_cost()
    path = FIELD["avg_budget"].path
    if budget < least:
        fares, food = trip.route.lowest(), least - trip.route.lowest()
        message = (
            f"{budget} CNY are less than the cheapest fares ({fares:.0f}) with food and nights ({food:.0f})"
        )
        yield Fault("budget", user, path, message)
    if budget < LUXURY_FROM and LUXURY in _list(table, FIELD["hotel_preference.prefer"], ""):
        message = f"{budget} CNY and {LUXURY} do not go together; it takes {LUXURY_FROM}"
        yield Fault("incoherent", user, FIELD["hotel_preference.prefer"].path, message)


# Reachability.


def unreachable(table: Mapping[str, Any], trip: Trip) -> list[str]:
    """Modes that somebody wants and the route lacks: one they insist on, on any leg; a preferred one, on all."""
    route = trip.route
    must = _list(table, FIELD["transport.must"], "")
    prefer = _list(table, FIELD["transport.prefer"], "")
    return [
        *(mode for mode in must if not route.everywhere(mode)),
        *(mode for mode in prefer if not route.somewhere(mode)),
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
    found = []
    for member in trip.archetype.members:
        if member.reference is None or member.slot not in tables:
            continue
        fields = [*_GLOBALS, *(_MINOR if member.generation == "copy_minor" else ())]
        for field in fields:
            for city in ("",) if field.scope == "global" else trip.skeleton.cities:
                own = read(tables[member.slot], field, city)
                if own != read(tables[member.reference], field, city):
                    message = f"differs from {member.reference}, of which it is a copy ({member.generation})"
                    found.append(Fault("inheritance", member.slot, field.path_in(city), message))
    return found


def check_group(tables: Mapping[str, Any], trip: Trip) -> list[Fault]:
    """Everything that is wrong with the tables of a task."""
    order: Sequence[str] = trip.archetype.generation_order
    if tuple(tables) != tuple(order):
        told = f"the tables stand in the order {', '.join(tables)}; expected {', '.join(order)}"
        return [Fault("shape", next(iter(tables), ""), "", told)]
    found = [fault for user, table in tables.items() for fault in check_table(user, table, trip)]
    return found or check_inheritance(tables, trip)
