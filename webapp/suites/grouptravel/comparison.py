"""The travellers of a task side by side, and where they clash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.suites.grouptravel.preferences import (
    FIELDS,
    Conflict,
    FieldValues,
    PreferenceField,
    conflicts,
    filled_by_city,
)
from benchmark.suites.grouptravel.tasks import Task
from webapp.suites.grouptravel.wording.fields import line_label, path_label, value_words


@dataclass(frozen=True)
class Wish:
    """One value in a cell. contested: somebody else at the table wants the contrary."""

    text: str
    contested: bool


@dataclass(frozen=True)
class WishRow:
    """One field, with a cell a traveller. city: "" for the whole trip."""

    city: str
    label: str
    cells: list[list[Wish]]


@dataclass
class Cell:
    """What the row's traveller wants and the column's does not."""

    user: str
    clashes: list[str] = field(default_factory=list)
    own: bool = False


def comparison_context(definition: Task) -> dict[str, Any]:
    """What the task's page shows of its travellers."""
    tables = {user: card.preference for user, card in definition.user_preferences.items()}
    return {
        "users": definition.users,
        "rows": side_by_side(tables),
        "matrix": conflict_matrix(definition.users, conflicts(tables)),
    }


def side_by_side(tables: Mapping[str, Any]) -> list[WishRow]:
    """Every field that anybody fills, whole trip first, then city by city; the two caps of a day share a row."""
    held = {user: filled_by_city(table) for user, table in tables.items()}
    opposed = _conflicting_items(tables)
    cities = dict.fromkeys(city for own in held.values() for city in own)
    rows: dict[tuple[str, str], WishRow] = {}
    for city in cities:
        for f in FIELDS:
            if any(f in own.get(city, {}) for own in held.values()):
                label = line_label(f)
                row = rows.setdefault((city, label), WishRow(city, label, [[] for _ in held]))
                for cell, user in zip(row.cells, held, strict=True):
                    cell += _cell(held[user], opposed, user, city, f)
    return list(rows.values())


def _conflicting_items(tables: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    """(user, path, item) of everything that takes part in a conflict."""
    conflicts_found = conflicts(tables)
    likes = {(c.liker, c.like_path, c.item) for c in conflicts_found}
    return likes | {(c.disliker, c.dislike_path, c.item) for c in conflicts_found}


def _cell(
    own: FieldValues, opposed: set[tuple[str, str, str]], user: str, city: str, f: PreferenceField
) -> list[Wish]:
    value = own.get(city, {}).get(f)
    if value is None:
        return []
    path = f.path_in(city)
    items = value if isinstance(value, list) else [value]
    return [Wish(value_words(item, f), (user, path, str(item)) in opposed) for item in items]


def conflict_matrix(
    users: Sequence[str], conflicts_found: Iterable[Conflict]
) -> list[tuple[str, list[Cell]]]:
    """A row for each traveller who wants, a column for each who does not."""
    rows = {liker: {other: Cell(other, own=other == liker) for other in users} for liker in users}
    for c in conflicts_found:
        rows[c.liker][c.disliker].clashes.append(
            f"{c.item}: {path_label(c.like_path)} / {path_label(c.dislike_path)}"
        )
    return [(liker, list(cells.values())) for liker, cells in rows.items()]
