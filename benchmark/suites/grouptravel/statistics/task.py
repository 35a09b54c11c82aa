"""What statistics need of one task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from benchmark.suites.grouptravel.preferences import (
    CITY_ROOT,
    FIELD,
    PreferenceField,
    Topic,
    cities,
    conflicts_between,
    filled_fields,
    read,
)
from benchmark.suites.grouptravel.statistics.items import LISTS, NAMES, TableItems, count_items, is_cap
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.synthesis.difficulty import level, score
from benchmark.suites.grouptravel.tasks.task import Difficulty, Task

SOURCES: tuple[Topic, ...] = ("food", "attraction_category", "attraction_name", "transport", "hotel")
"""What conflicts are about, as the paper orders them (appendix A.9.3)."""
_BUDGET = FIELD["avg_budget"]
_INTENSITY = tuple(field for field in FIELD.values() if field.topic == "intensity")


class Remark(NamedTuple):
    """Something odd about a task that counts all the same. kind: of `oddities`, or of the task as a whole.

    field: the dotted path in the task. item: what stands there; expected: what should, "" where that is not said.
    """

    task_id: str
    kind: str
    field: str
    item: str = ""
    expected: str = ""


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """One task in numbers.

    people: all members, children too. tables: users with a preference table. days: None where the task does not say.
    score: as the task has it, that of the formula where it has none, None beyond its scales. items: by user.
    fields: items of all users by the paper's names of list fields. conflicts: by source, over ordered pairs.
    insisted: conflicts of transport in which one must and the other refuses. budgets: of the users who have one.
    with_intensity, with_negative, compromisable: how many users have both caps, a negative item, may yield.
    """

    task_id: str
    archetype: str
    archetype_name: str
    people: int
    tables: int
    cities: Sequence[str]
    departure: str
    day: date
    days: int | None
    score: float | None
    difficulty: Difficulty
    items: Mapping[str, int]
    fields: Mapping[str, int]
    conflicts: Mapping[str, int]
    insisted: int
    budgets: Sequence[float]
    with_intensity: int
    with_negative: int
    compromisable: int
    remarks: Sequence[Remark]


def figures_of(task: Task) -> TaskFigures:
    """The figures of a task as `TASK_FILES` reads it."""
    tables = {user: card.preference for user, card in task.user_preferences.items()}
    held = {user: filled_fields(table) for user, table in tables.items()}
    counts = {user: count_items(values) for user, values in held.items()}
    clashes = conflicts_between(held)
    counts_by_kind = Counter(clash.kind for clash in clashes)
    people = len(tables) + len(task.metadata.child_members)
    by_formula = formula_score(people, task.days, len(task.metadata.cities))
    return TaskFigures(
        task_id=task.task_id,
        archetype=task.metadata.group_id,
        archetype_name=task.metadata.group_name,
        people=people,
        tables=len(tables),
        cities=task.metadata.cities,
        departure=task.metadata.departure_city,
        day=date.fromisoformat(task.time),
        days=task.days,
        score=task.difficulty_score or by_formula,
        difficulty=task.difficulty_type,
        items={user: sum(table_items.fields.values()) for user, table_items in counts.items()},
        fields=_by_name(counts.values()),
        conflicts={source: counts_by_kind[source] for source in SOURCES},
        insisted=sum(
            clash.like_path.endswith("transport.must") and clash.dislike_path.endswith("transport.reject")
            for clash in clashes
        ),
        budgets=[value for table in tables.values() if is_cap(value := read(table, _BUDGET))],
        with_intensity=sum(
            all(field in table_items.fields for field in _INTENSITY) for table_items in counts.values()
        ),
        with_negative=sum(any(map(_is_negative, table_items.fields)) for table_items in counts.values()),
        compromisable=sum(card.compromisable for card in task.user_preferences.values()),
        remarks=tuple(_remarks(task, counts, people, by_formula)),
    )


def formula_score(people: int, days: int | None, city_count: int) -> float | None:
    """The difficulty score, None where the scales do not reach."""
    if days is None:
        return None
    try:
        return score(people, days, city_count)
    except ValueError:
        return None


def _by_name(counts: Iterable[TableItems]) -> dict[str, int]:
    counts_by_list = dict.fromkeys(LISTS, 0)
    for table_items in counts:
        for field, count in table_items.fields.items():
            if field.kind == "list":
                counts_by_list[NAMES[field]] += count
    return counts_by_list


def _is_negative(field: PreferenceField) -> bool:
    return field.kind == "list" and not field.positive


def _remarks(
    task: Task, counts: Mapping[str, TableItems], people: int, by_formula: float | None
) -> Iterator[Remark]:
    for remark in (*_of_difficulty(task, people, by_formula), *_of_group(task, people), *_of_cities(task)):
        yield Remark(task.task_id, *remark)
    for user, table_items in counts.items():
        place = f"user_preferences.{user}.preference"
        if not table_items.fields:
            yield Remark(task.task_id, "empty_table", place)
        for odd in table_items.oddities:
            yield Remark(task.task_id, odd.kind, f"{place}.{odd.path}", odd.item)


_FoundRemark = tuple[str, str, str, str]
"""A remark without its task."""


def _of_difficulty(task: Task, people: int, by_formula: float | None) -> Iterator[_FoundRemark]:
    if by_formula is None:
        days = "?" if task.days is None else task.days
        yield "beyond_scales", "difficulty_score", f"{people}, {days}, {len(task.metadata.cities)}", ""
        return
    if not task.difficulty_score:
        yield "no_score", "difficulty_score", "", str(by_formula)
    elif task.difficulty_score != by_formula:
        yield "other_score", "difficulty_score", str(task.difficulty_score), str(by_formula)
    if task.difficulty_type != level(by_formula):
        yield "other_type", "difficulty_type", task.difficulty_type, level(by_formula)


def _of_group(task: Task, people: int) -> Iterator[_FoundRemark]:
    metadata = task.metadata
    archetype = ARCHETYPES.get(metadata.group_id)
    if archetype is None:
        yield "unknown_archetype", "metadata.group_id", metadata.group_id, ""
    elif archetype.size != people:
        yield "other_size", "metadata.group_id", metadata.group_id, str(people)
    may_yield = {user for user, card in task.user_preferences.items() if card.compromisable}
    if set(metadata.compromise_pattern) != may_yield:
        named = ", ".join(metadata.compromise_pattern)
        yield "other_pattern", "metadata.compromise_pattern", named, ", ".join(sorted(may_yield))


def _of_cities(task: Task) -> Iterator[_FoundRemark]:
    metadata = task.metadata
    if metadata.departure_city in metadata.cities:
        yield "departs_from_destination", "metadata.departure_city", metadata.departure_city, ""
    for user, card in task.user_preferences.items():
        for city in cities(card.preference):
            if city not in metadata.cities:
                yield "foreign_city", f"user_preferences.{user}.preference.{CITY_ROOT}", city, ""
