"""Preference completeness (PC): how much of the travellers' tables the agent came to know.

Recall over the filled fields of the reference table, pooled over all users; precision and F1 look at the same
fields only (GroupTravelBench, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmark.preferences.schema import PreferenceField
from benchmark.preferences.tables import filled, items, read


@dataclass(frozen=True, slots=True)
class FieldCompleteness:
    """One filled field: what the agent found, missed and invented (the last: items that the reference lacks)."""

    path: str
    found: list[Any]
    missed: list[Any]
    invented: list[Any]
    claimed: int
    right: int

    def evidence(self) -> dict[str, Any]:
        return {"path": self.path, "found": self.found, "missed": self.missed, "invented": self.invented}


@dataclass(frozen=True, slots=True)
class Completeness:
    """Figures of a whole group, from 0 to 1; `users` holds the fields of each."""

    users: dict[str, list[FieldCompleteness]]
    recall: float
    precision: float
    f1: float

    def per_user(self) -> dict[str, list[int]]:
        """[found, possible] for every user."""
        return {user: [_found(fields), _possible(fields)] for user, fields in self.users.items()}

    def evidence(self) -> dict[str, Any]:
        users = {user: [field.evidence() for field in fields] for user, fields in self.users.items()}
        return {"recall": self.recall, "precision": self.precision, "f1": self.f1, "users": users}


def completeness(reference: Mapping[str, Any], inferred: Any) -> Completeness:
    """Compare the tables of `reference` with what the agent inferred, `{user: table}`."""
    believed = inferred if isinstance(inferred, dict) else {}
    users = {user: user_completeness(table, believed.get(user)) for user, table in reference.items()}
    fields = [field for found in users.values() for field in found]
    found, possible = _found(fields), _possible(fields)
    right, claimed = sum(f.right for f in fields), sum(f.claimed for f in fields)
    recall = found / possible if possible else 1.0
    precision = right / claimed if claimed else float(not possible)
    both = recall + precision
    return Completeness(users, recall, precision, 2 * recall * precision / both if both else 0.0)


def user_completeness(reference: Any, inferred: Any) -> list[FieldCompleteness]:
    """The filled fields of one user's reference table against the agent's table; cities match by equal names."""
    return [_compare(field, city, value, read(inferred, field, city)) for field, city, value in filled(reference)]


def _compare(field: PreferenceField, city: str, wanted: Any, got: Any) -> FieldCompleteness:
    if field.kind == "scalar":
        return _compare_scalar(field.path_in(city), wanted, got)
    return _compare_list(field.path_in(city), items(wanted), items(got))


def _compare_list(path: str, wanted: Any, got: Any) -> FieldCompleteness:
    held = list(got)
    found = [item for item in wanted if item in held]
    missed = [item for item in wanted if item not in held] if len(found) < len(wanted) else []
    wanted = list(wanted)
    invented = [item for item in held if item not in wanted]
    return FieldCompleteness(path, found, missed, invented, len(held), len(held) - len(invented))


def _compare_scalar(path: str, wanted: Any, got: Any) -> FieldCompleteness:
    """Equality decides: 3000.0 is 3000, "3000" is not. An absent scalar counts as one wrong item of the agent."""
    if got == wanted:
        return FieldCompleteness(path, [wanted], [], [], 1, 1)
    return FieldCompleteness(path, [], [wanted], [] if got is None else [got], 1, 0)


def _found(fields: list[FieldCompleteness]) -> int:
    return sum(len(field.found) for field in fields)


def _possible(fields: list[FieldCompleteness]) -> int:
    return sum(len(field.found) + len(field.missed) for field in fields)
