"""The fields of tasks as the database has them: where a benchmark's are stored, and how they are sorted and found."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import reduce
from operator import add
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    DateField,
    F,
    Field,
    FloatField,
    Func,
    IntegerField,
    Q,
    QuerySet,
    TextField,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.db.models.lookups import Exact, GreaterThan, GreaterThanOrEqual, IContains, LessThanOrEqual
from django.utils.translation import gettext

from benchmark.metrics import Facets
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import Cell, FieldKind, Place, TaskField
from webapp.catalogue.models import Task

COUNTS = {"cities": "city_count"}
"""The column that counts the names in another column."""

_STORED_AS: Mapping[FieldKind, type[Field[Any, Any]]] = {
    "count": FloatField,
    "some": FloatField,
    "number": FloatField,
    "date": DateField,
}
"""What the database makes of the text of a facet; a text for all others."""


def columns_of(suite: str, task: Any) -> dict[str, Any]:
    """What a row of `Task` holds of a task of a benchmark, beside its definition and its place."""
    tasks = suite_named(suite).tasks
    cells = {own.key: own.value(task) for own in tasks.fields if own.value is not None}
    return {"query": tasks.query(task), "language": task.language, **stored_fields(suite, cells)}


def stored_fields(suite: str, cells: Mapping[str, Cell]) -> dict[str, Any]:
    """The columns of a row of `Task` for a task's fields, from those that are known, by key."""
    row: dict[str, Any] = {"facets": {}}
    for own in suite_named(suite).tasks.fields:
        if own.value is None or own.key not in cells:
            continue
        cell = cells[own.key]
        if own.column:
            row |= {own.column: cell, **_count_of(own.column, cell)}
        elif cell not in (None, "", [], ()):
            row["facets"][own.key] = cell.isoformat() if isinstance(cell, date) else cell
    return row


def _count_of(column: str, cell: Any) -> dict[str, int]:
    return {COUNTS[column]: len(cell)} if column in COUNTS else {}


class NameCount(Func):
    """How many names a field has that is stored among the facets; NULL where it is not."""

    output_field = IntegerField()

    def __init__(self, facets: str, key: str, **extra: Any) -> None:
        super().__init__(F(facets), **extra)
        self.key = key

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = compiler.compile(self.source_expressions[0])
        return f"JSON_ARRAY_LENGTH({column}, %s)", (*params, f'$."{self.key}"')

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = compiler.compile(self.source_expressions[0])
        return f"JSONB_ARRAY_LENGTH({column} -> %s)", (*params, self.key)


class HasName(NameCount):
    """Whether a field that is stored among the facets has a name."""

    output_field = BooleanField()  # type: ignore[assignment]

    def __init__(self, facets: str, key: str, name: str, **extra: Any) -> None:
        super().__init__(facets, key, **extra)
        self.name = name

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = compiler.compile(self.source_expressions[0])
        sql = f"EXISTS (SELECT 1 FROM JSON_EACH({column}, %s) WHERE value = %s)"
        return sql, (*params, f'$."{self.key}"', self.name)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = compiler.compile(self.source_expressions[0])
        return f"({column} -> %s) @> TO_JSONB(%s::text)", (*params, self.key, self.name)


@dataclass(frozen=True)
class ListedField:
    """A field of the tasks of some benchmarks, as a table has it.

    name: in addresses and files. own: as the first of the benchmarks declares it; by_suite: as each does. columns:
    those whose sum it is, as the rows of the table reach them; none where it is stored in `facets`.
    """

    name: str
    own: TaskField[Any]
    columns: tuple[str, ...]
    facets: str
    by_suite: dict[str, TaskField[Any]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """As heads have it."""
        return gettext(self.own.label)

    @property
    def choices(self) -> dict[str, str]:
        """What it can be in any of the benchmarks, in order and in words."""
        return {key: gettext(words) for own in self.by_suite.values() for key, words in own.choices.items()}

    @property
    def is_joined(self) -> bool:
        """Whether a table reads it from another one."""
        return "__" in "".join(self.columns or (self.facets,))

    def words(self, choice: str) -> str:
        """One of the choices in the reader's language; what is none of them as it is."""
        return self.choices.get(choice, choice)

    def is_usual_in(self, suites: Collection[str]) -> bool:
        """Whether tables of tasks of these benchmarks show it."""
        return any(own.usual for suite, own in self.by_suite.items() if suite in suites)

    def is_filtered_in(self, suites: Collection[str]) -> bool:
        """Whether tables of tasks of these benchmarks offer a filter by it."""
        return any(own.filtered for suite, own in self.by_suite.items() if suite in suites)

    def cell(self, task: Task) -> Any:
        """What it says of a task."""
        return self.cell_in(vars(task))

    def cell_in(self, row: Mapping[str, Any]) -> Any:
        """What it says of the task that has these columns, by name."""
        if not self.own.column:
            return row["facets"].get(self.own.key) if row["suite"] in self.by_suite else None
        return _sum(row[name] for name in self.own.column.split("+"))

    @property
    def expression(self) -> Any:
        """What the database sorts by."""
        match self.own.kind:
            case "choice":
                return self._case(list(self.choices))
            case "flag":
                return self._case([False, True])
            case "names":
                counts = [COUNTS[name] for name in self.columns if name in COUNTS]
                return F(counts[0]) if counts else NameCount(self.facets, self.own.key)
        return self._value

    def _case(self, values: list[Any]) -> Case:
        """The place of its value among these."""
        places = (When(self._is(value), then=place) for place, value in enumerate(values))
        return Case(*places, default=None, output_field=IntegerField())

    def _is(self, value: Any) -> Any:
        return Q(**{self.columns[0] if self.columns else f"{self.facets}__{self.own.key}": value})

    @property
    def _value(self) -> Any:
        if self.columns:
            return _sum(F(name) for name in self.columns)
        text = KeyTextTransform(self.own.key, self.facets)
        return Cast(text, _STORED_AS.get(self.own.kind, TextField)())

    def condition(self, wanted: Any) -> Q:
        """The tasks of which it says what is wanted: a value, or the two ends of a range, None for an open one.

        Of a number that is asked for as "yes", "no" or "on", whether it is above 0.
        """
        if self.columns:
            return Q(*self._conditions(wanted))
        own = f"{self.facets.removesuffix('facets')}suite__in"
        return Q(*self._conditions(wanted), **{own: [*self.by_suite]})

    def _conditions(self, wanted: Any) -> Iterator[Any]:
        match self.own.kind:
            case "text":
                yield IContains(self._value, wanted)
            case "choice":
                yield self._is(wanted)
            case "flag":
                yield self._is(wanted == "yes")
            case "names":
                yield self._has(wanted)
            case "count" | "some" if wanted in ("yes", "no", "on"):
                yield Exact(self._value, 0) if wanted == "no" else GreaterThan(self._value, 0)
            case "count" | "some":
                yield Exact(self._value, wanted)
            case _:
                low, high = wanted
                yield from [] if low is None else [GreaterThanOrEqual(self._value, low)]
                yield from [] if high is None else [LessThanOrEqual(self._value, high)]

    def _has(self, name: str) -> Any:
        if not self.columns:
            return HasName(self.facets, self.own.key, name)
        return Q(**{f"{self.columns[0]}__contains": json.dumps(name, ensure_ascii=False)})


def _sum(parts: Iterator[Any]) -> Any:
    return reduce(add, parts)


def listed_fields(
    place: Place,
    *,
    at: str = "",
    copies: Mapping[str, str] | None = None,
    suites: Collection[str] | None = None,
) -> dict[str, ListedField]:
    """The fields of the tasks of benchmarks (all of them for None) that a place has, by name.

    at: the way from the rows of a table to those of tasks. copies: columns of the table itself that hold the same as
    one of tasks, or as a sum of them. Fields with a column are called by their key, others by their benchmark's name
    too.
    """
    found: dict[str, ListedField] = {}
    for suite in SUITES if suites is None else suites:
        for own in suite_named(suite).tasks.fields:
            if place not in own.places:
                continue
            there = found.get(own.key)
            apart = not own.column or (there is not None and there.own.column != own.column)
            name = f"{suite}-{own.key}" if apart else own.key
            listed = found.setdefault(
                name, ListedField(name, own, _columns(own, at, copies or {}), f"{at}facets")
            )
            listed.by_suite[suite] = own
    return found


def _columns(own: TaskField[Any], at: str, copies: Mapping[str, str]) -> tuple[str, ...]:
    if own.column in copies:
        return (copies[own.column],)
    return tuple(f"{at}{name}" for name in own.column.split("+") if name)


def facets_by_task(tasks: QuerySet[Task]) -> dict[int, Facets]:
    """What rules of whole runs and reports know of tasks, by their keys in the database."""
    by_suite = {suite: listed_fields("groups", suites=[suite]).values() for suite in SUITES}
    columns = {name for fields in by_suite.values() for one in fields for name in one.columns}
    return {
        row["pk"]: {one.own.key: one.cell_in(row) for one in by_suite.get(row["suite"], ())}
        for row in tasks.order_by().values("pk", "suite", "facets", *sorted(columns))
    }
