"""Preference completeness (PC): the share of the travellers' tables that the agent learned.

Recall over the filled fields of the reference table, pooled over all users; precision and F1 look at the same
fields only (GroupTravelBench, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import FieldValues, PreferenceField, filled_by_city, paths_in
from benchmark.suites.grouptravel.scoring.leniency import holds, items, tier

FieldComparison = tuple[PreferenceField, str, str, list[Any], list[Any], list[Any], list[Any]]
"""One filled field: its city and path; its items; those that the agent found, missed, and invented (not there)."""


class UserCompleteness(NamedTuple):
    """The counts of one user."""

    # Items of the reference table: those that the agent found, and all.
    found: int
    possible: int
    # Items of the agent's table, in the fields that the reference fills: those that are right, and all.
    right: int
    claimed: int
    # One entry per filled field, in the order of the reference table.
    fields: list[FieldComparison]
    # The whole table of the agent.
    beliefs: FieldValues


@dataclass(frozen=True, slots=True)
class Completeness:
    """Figures of a whole group, from 0 to 1."""

    users: dict[str, UserCompleteness]
    recall: float
    precision: float
    f1: float

    def per_user(self) -> dict[str, list[int]]:
        """[found, possible] for every user."""
        return {user: [count.found, count.possible] for user, count in self.users.items()}

    def figures(self) -> dict[str, float]:
        """Recall, precision and F1 by name."""
        return {"recall": self.recall, "precision": self.precision, "f1": self.f1}


def completeness(reference: Mapping[str, Any], inferred: Any) -> Completeness:
    """Compare the `reference` tables of the users with what the agent inferred, `{user: table}`."""
    return compare({user: filled_by_city(table) for user, table in reference.items()}, inferred)


def compare(wanted: Mapping[str, FieldValues], inferred: Any) -> Completeness:
    """As `completeness`, for reference tables that were reduced to their filled fields.

    Users and cities match if their names are equal.
    """
    believed = inferred if isinstance(inferred, dict) else {}
    users = {user: compare_user(held, filled_by_city(believed.get(user))) for user, held in wanted.items()}
    counts = [(user.found, user.possible, user.right, user.claimed) for user in users.values()]
    hits, possible, right, claimed = map(sum, zip(*counts, strict=True)) if counts else (0, 0, 0, 0)
    recall = hits / possible if possible else 1.0
    precision = right / claimed if claimed else float(not possible)
    both = recall + precision
    return Completeness(users, recall, precision, 2 * recall * precision / both if both else 0.0)


def compare_user(wanted: FieldValues, believed: FieldValues) -> UserCompleteness:
    """Compare the filled fields of one user's reference table with the agent's table."""
    found = lost = right = claimed = 0
    fields: list[FieldComparison] = []
    for city, held in wanted.items():
        get, paths = believed.get(city, _NOTHING).get, paths_in(city)
        for field, value in held.items():
            got = get(field)
            if type(value) is not list or field.kind == "scalar":
                given, hits, missed, invented, good, said = _sort(field, value, got)
            elif got is None:
                lost += len(value)
                fields.append((field, city, paths[field], value, [], value, []))
                continue
            elif got == value:
                count = len(value)
                found += count
                right += count
                claimed += count
                fields.append((field, city, paths[field], value, value, [], []))
                continue
            else:
                given, hits, missed, invented, good, said = _list(value, got)
            found += len(hits)
            lost += len(missed)
            right += good
            claimed += said
            fields.append((field, city, paths[field], given, hits, missed, invented))
    return UserCompleteness(found, found + lost, right, claimed, fields, believed)


_NOTHING: dict[PreferenceField, Any] = {}
_SortedItems = tuple[list[Any], list[Any], list[Any], list[Any], int, int]


def _sort(field: PreferenceField, value: Any, got: Any) -> _SortedItems:
    return _scalar(value, got) if field.kind == "scalar" else _list(list(items(value)), got)


def _list(wanted: list[Any], got: Any) -> _SortedItems:
    """All items, those found, missed and invented; then how many claimed items are right, and how many there are.

    If the agent wrote a text instead of a list, it claims the items that occur in the text, or one wrong item.
    """
    held = got if type(got) is list else tier(got)
    if wanted == held:
        return wanted, wanted, [], [], len(held), len(held)
    if not held:
        return wanted, [], wanted, [], 0, 0
    if isinstance(held, str):
        held_items = [item for item in wanted if holds(held, item)]
        missed = [item for item in wanted if not holds(held, item)]
        return wanted, held_items, missed, [], len(held_items), len(held_items) or 1
    held_items = [item for item in wanted if item in held]
    missed = [item for item in wanted if item not in held] if len(held_items) < len(wanted) else []
    invented = [item for item in held if item not in wanted]
    return wanted, held_items, missed, invented, len(held) - len(invented), len(held)


def _scalar(wanted: Any, got: Any) -> _SortedItems:
    """Equality decides: 3000.0 is 3000, "3000" is not. An absent scalar counts as one wrong item of the agent."""
    given = [wanted]
    if got == wanted:
        return given, given, [], [], 1, 1
    return given, [], given, [] if got is None else [got], 0, 1
