"""Preference completeness (PC): how much of the travellers' tables the agent came to know.

Recall over the filled fields of the reference table, pooled over all users; precision and F1 look at the same
fields only (GroupTravelBench, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmark.preferences.tables import FieldValues, filled_by_city, items


@dataclass(slots=True)
class UserCompleteness:
    """One user's count.

    found of possible items of the reference; right of claimed items of the agent, in the fields that the reference
    fills. fields: for each, {path, found, missed, invented}, the last being items that the reference lacks.
    """

    found: int
    possible: int
    right: int
    claimed: int
    fields: list[dict[str, Any]]


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

    def evidence(self) -> dict[str, Any]:
        """The figures, and for every user the fields one by one."""
        users = {user: count.fields for user, count in self.users.items()}
        return {"recall": self.recall, "precision": self.precision, "f1": self.f1, "users": users}


def completeness(reference: Mapping[str, Any], inferred: Any) -> Completeness:
    """Compare the `reference` tables of the users with what the agent inferred, `{user: table}`."""
    return compare({user: filled_by_city(table) for user, table in reference.items()}, inferred)


def compare(wanted: Mapping[str, FieldValues], inferred: Any) -> Completeness:
    """The same for the filled fields of reference tables; users and cities match by equal names."""
    believed = inferred if isinstance(inferred, dict) else {}
    users = {user: compare_user(held, filled_by_city(believed.get(user))) for user, held in wanted.items()}
    found, possible = (sum([getattr(c, name) for c in users.values()]) for name in ("found", "possible"))
    right, claimed = (sum([getattr(c, name) for c in users.values()]) for name in ("right", "claimed"))
    recall = found / possible if possible else 1.0
    precision = right / claimed if claimed else float(not possible)
    both = recall + precision
    return Completeness(users, recall, precision, 2 * recall * precision / both if both else 0.0)


def compare_user(wanted: FieldValues, believed: FieldValues) -> UserCompleteness:
    """The filled fields of one user's reference table against the agent's."""
    count = UserCompleteness(0, 0, 0, 0, [])
    for city, held in wanted.items():
        theirs = believed.get(city, {})
        for field, value in held.items():
            compare_field = _scalar if field.kind == "scalar" else _list
            compare_field(count, field.path_in(city), value, theirs.get(field))
    return count


def _list(count: UserCompleteness, path: str, value: Any, got: Any) -> None:
    """Items are found by equality; a string in a list's place acts as its characters, hence the lists."""
    wanted = value if type(value) is list else list(items(value))
    held = got if type(got) is list else list(items(got))
    found = [item for item in wanted if item in held] if held else []
    missed = [item for item in wanted if item not in held] if len(found) < len(wanted) else []
    invented = [item for item in held if item not in wanted]
    count.found += len(found)
    count.possible += len(wanted)
    count.right += len(held) - len(invented)
    count.claimed += len(held)
    count.fields.append({"path": path, "found": found, "missed": missed, "invented": invented})


def _scalar(count: UserCompleteness, path: str, wanted: Any, got: Any) -> None:
    """Equality decides: 3000.0 is 3000, "3000" is not. An absent scalar counts as one wrong item of the agent."""
    right = got == wanted
    found, missed = ([wanted], []) if right else ([], [wanted])
    invented = [] if right or got is None else [got]
    count.found += right
    count.possible += 1
    count.right += right
    count.claimed += 1
    count.fields.append({"path": path, "found": found, "missed": missed, "invented": invented})
