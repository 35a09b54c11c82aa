"""Preference completeness (PC): how much of the travellers' tables the agent came to know.

Recall over the filled fields of the reference table, pooled over all users; precision and F1 look at the same
fields only (GroupTravelBench, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import FieldValues, PreferenceField, filled_by_city, paths_in
from benchmark.suites.grouptravel.scoring.leniency import holds, items, tier

FieldComparison = tuple[str, list[Any], list[Any], list[Any]]
"""One filled field: its path, the items found, missed, and invented, which the reference lacks."""


class UserCompleteness(NamedTuple):
    """One user's count.

    found of possible items of the reference; right of claimed items of the agent, in the fields that the reference
    fills. fields: one a filled field, in its order.
    beliefs: all that the agent holds of the user.
    """

    found: int
    possible: int
    right: int
    claimed: int
    fields: list[FieldComparison]
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
    """The same for the filled fields of reference tables; users and cities match by equal names."""
    believed = inferred if isinstance(inferred, dict) else {}
    users = {user: compare_user(held, filled_by_city(believed.get(user))) for user, held in wanted.items()}
    counts = [(user.found, user.possible, user.right, user.claimed) for user in users.values()]
    found, possible, right, claimed = map(sum, zip(*counts, strict=True)) if counts else (0, 0, 0, 0)
    recall = found / possible if possible else 1.0
    precision = right / claimed if claimed else float(not possible)
    both = recall + precision
    return Completeness(users, recall, precision, 2 * recall * precision / both if both else 0.0)


def compare_user(wanted: FieldValues, believed: FieldValues) -> UserCompleteness:
    """The filled fields of one user's reference table against the agent's."""
    found = lost = right = claimed = 0
    fields: list[FieldComparison] = []
    for city, held in wanted.items():
        get, paths = believed.get(city, _NOTHING).get, paths_in(city)
        for field, value in held.items():
            got = get(field)
            if type(value) is list and field.kind == "list":
                if got is None:
                    lost += len(value)
                    fields.append((paths[field], [], value, []))
                    continue
                hits, missed, invented, good, said = _list(value, got)
            else:
                hits, missed, invented, good, said = _sort(field, value, got)
            found += len(hits)
            lost += len(missed)
            right += good
            claimed += said
            fields.append((paths[field], hits, missed, invented))
    return UserCompleteness(found, found + lost, right, claimed, fields, believed)


_NOTHING: dict[PreferenceField, Any] = {}
_SortedItems = tuple[list[Any], list[Any], list[Any], int, int]


def _sort(field: PreferenceField, value: Any, got: Any) -> _SortedItems:
    return _scalar(value, got) if field.kind == "scalar" else _list(list(items(value)), got)


def _list(wanted: list[Any], got: Any) -> _SortedItems:
    """Items found, missed and invented, and how many of those claimed are right.

    A text of the agent claims what is found in it, or one wrong thing.
    """
    held = got if type(got) is list else tier(got)
    if wanted == held:
        return wanted, [], [], len(held), len(held)
    if not held:
        return [], wanted, [], 0, 0
    if isinstance(held, str):
        found = [item for item in wanted if holds(held, item)]
        return found, [item for item in wanted if not holds(held, item)], [], len(found), len(found) or 1
    found = [item for item in wanted if item in held]
    missed = [item for item in wanted if item not in held] if len(found) < len(wanted) else []
    invented = [item for item in held if item not in wanted]
    return found, missed, invented, len(held) - len(invented), len(held)


def _scalar(wanted: Any, got: Any) -> _SortedItems:
    """Equality decides: 3000.0 is 3000, "3000" is not. An absent scalar counts as one wrong item of the agent."""
    if got == wanted:
        return [wanted], [], [], 1, 1
    return [], [wanted], [] if got is None else [got], 0, 1
