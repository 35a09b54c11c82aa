"""On which values the published scorer fails: there it gives no figure, and those given here are this product's own.

Each such value counts as empty, and is reported by the name of its field.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Self

from benchmark.plans.clock import calendar_day
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, HOTEL, Leg
from benchmark.suites.grouptravel.preferences import (
    CITY_FIELDS,
    CITY_OBJECTS,
    CITY_ROOT,
    GLOBAL_FIELDS,
    GLOBAL_OBJECTS,
    GLOBAL_ROOT,
    FieldValues,
    PreferenceField,
    TableObject,
    descend,
    part,
)
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.leniency import budget_limit, tier
from benchmark.suites.grouptravel.scoring.run_record import Reference, RunRecord
from benchmark.suites.grouptravel.scoring.trip import Course, Outing, Step, Trip

# One value on which the published scorer fails.


FAULTS: dict[str, str] = {
    "no_table": "is null; give a table, {} where nothing is known",
    "no_object": "is not an object; leave it out where there is nothing to say",
    "no_list": "is not a list; give [] where there is nothing to say",
    "no_text": "holds an item that is not text",
    "no_number": "is not a number",
    "null_beside": "is null beside a filled cap; give 0 where there is no limit",
    "no_cost": "is not a number, and a traveller with a budget pays it",
    "no_place": "is not text; give the name of the place",
    "no_names": "is not a list of names; leave it out where everyone takes part",
}
"""What is wrong, in English, by reason."""


class Fault(NamedTuple):
    """field: the path in the record, that of a part of the plan beginning with `plan`. reason: a key of FAULTS."""

    field: str
    reason: str


# Numbers in place of a tier's list, in a table that completeness reads.


def list_faults(path: str, filled: FieldValues) -> Iterator[Fault]:
    """Those in a table at `path`. An empty value is none: completeness passes over null, 0 and false."""
    for city, held in filled.items():
        for field, value in held.items():
            if type(value) is not list and field.kind == "list" and tier(value) is None:
                yield Fault(f"{path}.{field.path_in(city)}", "no_list")


# Faults in the agent's table, which completeness reads.


_ROOT = "agent_preference_table"
_GROUPS = ("transport", "intensity", "hotel_preference")


def belief_faults(record: RunRecord, believed: Mapping[str, FieldValues]) -> Iterator[Fault]:
    """A user's table, or all of them, that is null or no object, and filled parts that are no objects or no lists.

    Other nulls pass. believed: what these tables hold, by user.
    """
    tables = record.beliefs
    if not isinstance(tables, dict):
        yield Fault(_ROOT, "no_table" if tables is None else "no_object")
        return
    for user in record.references:
        if user in tables:
            path = f"{_ROOT}.{user}"
            yield from _of_table(path, tables[user])
            yield from list_faults(path, believed[user])


def _of_table(path: str, table: Any) -> Iterator[Fault]:
    if table is None:
        yield Fault(path, "no_table")
    elif not isinstance(table, dict):
        if table:
            yield Fault(path, "no_object")
    elif not _has_objects(table):
        for way, held in _parts(table):
            if held and not isinstance(held, dict):
                yield Fault(f"{path}.{'.'.join(way)}", "no_object")


def _has_objects(table: Mapping[str, Any]) -> bool:
    """Whether everything in a table that should be an object is seen at once to be one, as nearly everywhere."""
    shared, own = table.get(GLOBAL_ROOT), table.get(CITY_ROOT)
    if type(shared) is not dict or type(own) is not dict:
        return False
    held = [*map(shared.get, _GROUPS), *own.values()]
    return _OBJECTS.issuperset(map(type, held))


def _parts(table: Mapping[str, Any]) -> list[tuple[tuple[str, ...], Any]]:
    """Everything in a table that should be an object and is looked into, with the keys that lead there."""
    shared, own = table.get(GLOBAL_ROOT), table.get(CITY_ROOT)
    parts: list[tuple[tuple[str, ...], Any]] = [((GLOBAL_ROOT,), shared), ((CITY_ROOT,), own)]
    if isinstance(shared, dict):
        parts += [((GLOBAL_ROOT, name), shared.get(name)) for name in _GROUPS]
    if isinstance(own, dict):
        parts += [((CITY_ROOT, city), held) for city, held in own.items()]
    return parts


# Faults in the reference tables, which completeness reads, and utility where there is a plan.


_CAPS = ("max_poi_per_day", "max_active_hours")
_TEXTS, _NUMBERS, _LISTS = frozenset((str,)), frozenset((int, float)), frozenset((list, dict))
_COSTS = frozenset((int, float, type(None)))
_NO_NAMES, _OBJECTS = frozenset((list, dict)), frozenset((dict, type(None)))
_EMPTY: dict[str, Any] = {}
_PathFault = tuple[str, str]
"""A path below a node, beginning with a dot, and a reason."""


_Tree = dict[str, Any]
"""Fields by their last key, below the objects that hold them."""


def _tree(fields: Sequence[PreferenceField]) -> _Tree:
    root: _Tree = {}
    for field in fields:
        node = root
        for key in field.keys[:-1]:
            node = node.setdefault(key, {})
        node[field.keys[-1]] = field
    return root


_GLOBAL, _CITY = _tree(GLOBAL_FIELDS), _tree(CITY_FIELDS)


def reference_faults(
    references: Mapping[str, Reference], wanted: Mapping[str, FieldValues], trip: Trip | None
) -> Iterator[Fault]:
    """Those in the tables of the users of the trip, and what completeness alone reads in all others.

    wanted: what the tables hold, by user.
    """
    for user, own in references.items():
        path = f"effective_preferences.{user}{own.level}"
        if trip is not None and user in trip.users:
            yield from (Fault(path + below, reason) for below, reason in _in_table(own.table, trip))
        else:
            yield from list_faults(path, wanted[user])


def _in_table(table: Any, trip: Trip) -> Iterator[_PathFault]:
    if not isinstance(table, dict):
        yield "", "no_object"
        return
    shared, own = table.get(GLOBAL_ROOT, {}), table.get(CITY_ROOT, {})
    if not _is_sound(shared, GLOBAL_OBJECTS):
        yield from ((f".{GLOBAL_ROOT}{way}", reason) for way, reason in _in_object(shared, _GLOBAL, ()))
        for name in _null_caps(part(shared, "intensity")):
            yield f".{GLOBAL_ROOT}.intensity.{name}", "null_beside"
    if not isinstance(own, dict):
        yield f".{CITY_ROOT}", "no_object"
        return
    for city, held in own.items():
        if not _is_sound(held, CITY_OBJECTS):
            for way, reason in _in_object(held, _CITY, _sought_topics(city, trip)):
                yield f".{CITY_ROOT}.{city}{way}", reason


def _sought_topics(city: str, trip: Trip) -> tuple[str, ...]:
    """Topics of which the plan visits something in a city, so that the names of their items are looked for."""
    food = ("food",) if city in trip.meals else ()
    return ("attraction_name", "attraction_category", *food) if city in trip.sights else food


def _is_sound(root: Any, objects: Iterable[TableObject]) -> bool:
    """Whether what lies below `root` is seen at once to be without a fault, as nearly everywhere."""
    nodes: list[dict[str, Any]] = []
    for above, key, kind, leaves in objects:
        node = nodes[above].get(key, _EMPTY) if nodes else root
        if type(node) is not dict:
            return False
        nodes.append(node)
        if kind == "scalar":
            for name, _ in leaves:
                if type(node.get(name, 0)) not in _NUMBERS:
                    return False
        elif leaves:
            for value in node.values():
                if type(value) not in _LISTS or (value and not _TEXTS.issuperset(map(type, value))):
                    return False
    return True


def _in_object(node: Any, tree: _Tree, tried: Container[str]) -> list[_PathFault]:
    """tried: topics of which the items must be texts."""
    if not isinstance(node, dict):
        return [("", "no_object")]
    faults = []
    for key, below in tree.items():
        if key not in node:
            continue
        if isinstance(below, dict):
            faults += [(f".{key}{way}", reason) for way, reason in _in_object(node[key], below, tried)]
        elif reason := _of_value(below, node[key], tried):
            faults.append((f".{key}", reason))
    return faults


def _of_value(field: PreferenceField, value: Any, tried: Container[str]) -> str:
    if field.kind == "scalar":
        return "" if value is None or isinstance(value, (int, float)) else "no_number"
    if not isinstance(value, (list, str, dict)):
        return "no_list"
    if value and field.topic in tried and not _TEXTS.issuperset(map(type, value)):
        return "no_text"
    return ""


def _null_caps(caps: Any) -> list[str]:
    """The two caps of a day are compared when either is filled."""
    if not isinstance(caps, dict) or not any(caps.get(name) for name in _CAPS):
        return []
    return [name for name in _CAPS if caps.get(name, 0) is None]


# Faults in the plan: costs, places and participants that can't be compared.


class PlanFaults(NamedTuple):
    """A plan beside the tables of its users and the catalogue."""

    trip: Trip
    tables: dict[str, Any]
    catalogue: Catalogue

    @classmethod
    def of(cls, references: Mapping[str, Reference], trip: Trip, catalogue: Catalogue) -> Self:
        """With the tables of those users who have one."""
        tables = {user: references[user].table for user in trip.users if user in references}
        return cls(trip, tables, catalogue)

    def find_faults(self) -> Iterator[Fault]:
        """Every fault, in list order."""
        if self._is_ordinary():
            return
        for course in self.trip.courses:
            for step in course.steps:
                for key, reason in self._of_leg(step) if isinstance(step, Leg) else self._of_outing(step):
                    yield Fault(f"{_path(course, step)}.{key}", reason)

    def _is_ordinary(self) -> bool:
        """Whether the plan is seen at once to be without a fault, as nearly all are."""
        for stay in self.trip.stays:
            for outing in stay.own:
                if _are_no_names(outing.activity.participants):
                    return False
        for outing in chain.from_iterable(self.trip.places.values()):
            part = outing.activity
            if type(part.cost) not in _COSTS or not (part.location or "location" not in part.source):
                return False
        return all(type(leg.cost) in _COSTS for _, leg in self.trip.legs)

    def _of_leg(self, leg: Leg) -> list[tuple[str, str]]:
        return [("avg_cost", "no_cost")] if _is_no_amount(leg.cost) and self._is_paid(leg) else []

    def _of_outing(self, outing: Outing) -> list[tuple[str, str]]:
        activity, faults = outing.activity, []
        if _is_no_amount(activity.cost) and self._is_paid(outing):
            faults.append(("avg_cost", "no_cost"))
        if not isinstance(activity.source.get("location", ""), str) and self._is_compared(outing):
            faults.append(("location", "no_place"))
        if not activity.shared and _are_no_names(activity.participants):
            faults.append(("participants", "no_names"))
        return faults

    def _is_paid(self, step: Step) -> bool:
        """Whether a user with a budget pays it."""
        if isinstance(step, Leg) or step.activity.kind == HOTEL:
            users = self.trip.users
        elif step.activity.kind == FOOD:
            users = tuple(step.who)
        else:
            return False
        budgets = [descend(self.tables.get(user), (GLOBAL_ROOT, "avg_budget")) for user in users]
        return any(budget_limit(budget) for budget in budgets)

    def _is_compared(self, outing: Outing) -> bool:
        """Whether the place is looked up in a table or the catalogue."""
        kind, known = outing.activity.kind, outing.block.city in self.catalogue
        if kind == HOTEL:
            return known and any(_states_class(table) for table in self.tables.values())
        if kind == ATTRACTION and known and calendar_day(outing.day.date):
            return True
        visits = {ATTRACTION: self.trip.sights, FOOD: self.trip.meals}.get(kind, {}).get(outing.block.city)
        if visits is None or outing not in visits.outings:
            return False
        return any(descend(self.tables.get(user), (CITY_ROOT, outing.block.city)) for user in outing.who)


def _states_class(table: Any) -> bool:
    classes = descend(table, (GLOBAL_ROOT, "hotel_preference"))
    return isinstance(classes, dict) and any(classes.values())


def _path(course: Course, step: Step) -> str:
    day = f"plan.days[{course.day.at}]"
    if isinstance(step, Leg):
        return f"{day}.city_segments[{step.at}]"
    return f"{day}.city_segments[{step.block.at}].activities[{step.activity.at}]"


def _is_no_amount(cost: Any) -> bool:
    if not isinstance(cost, (str, list, dict)):
        return False
    paid: Any = cost or 0
    try:
        float(paid)
    except (TypeError, ValueError):
        return True
    return False


def _are_no_names(participants: Any) -> bool:
    if isinstance(participants, list):
        return not _NO_NAMES.isdisjoint(map(type, participants))
    return not isinstance(participants, (str, dict))


def faults_in(
    record: RunRecord,
    wanted: Mapping[str, FieldValues],
    believed: Mapping[str, FieldValues],
    trip: Trip | None,
    catalogue: Catalogue,
) -> list[Fault]:
    """Every such value of a record that has figures.

    wanted, believed: what the reference tables hold and what the agent's hold, by user. trip: the plan, None without.
    """
    faults = [*belief_faults(record, believed), *reference_faults(record.references, wanted, trip)]
    if trip is not None:
        faults += PlanFaults.of(record.references, trip, catalogue).find_faults()
    return faults
