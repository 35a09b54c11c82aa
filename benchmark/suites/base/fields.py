"""What lists show of a benchmark's tasks, filter, sort and group them by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Generic, Literal, TypeVar

T = TypeVar("T")
Cell = str | int | float | bool | date | Sequence[str] | None
"""What a field says of a task; None, "" or an empty list where it says nothing."""
FieldKind = Literal["text", "choice", "count", "some", "number", "flag", "date", "names"]
"""text: words, found by a part of them. choice: one of `choices`, sorted in their order. count: a whole number, found
by its value, or, where there are `choices` for "yes" and "no", by whether it is above 0. some: a whole number that
is found by a box to tick, whose words `choices` has under "on": whether it is above 0. number: any number, found by a
range. flag: true or false; `choices` may have words for "yes" and "no". date: a day, found by a range. names: a list
of words, found by one of them, sorted by how many there are."""
Place = Literal["tasks", "sessions", "groups"]
"""tasks, sessions: the tables of these names. groups: what runs are compared by task by task, and what reports and
rules of whole runs know of a task."""
PLACES: tuple[Place, ...] = ("tasks", "sessions", "groups")


@dataclass(frozen=True)
class TaskField(Generic[T]):
    """A field of a benchmark's tasks."""

    key: str
    """Its name among the benchmark's fields of a place; a name in addresses and files, which never changes."""
    label: str
    """An English message id."""
    kind: FieldKind
    """What it holds, how it is sorted and how it is found."""
    value: Callable[[T], Cell] | None
    """What it says of a task; None where other fields have stored what `column` names."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """What it can be, in order, each with an English message id; whatever else it is stands as it is."""
    filtered: bool = False
    """Whether tables offer a filter by it."""
    usual: bool = False
    """Whether tables show it until somebody chooses."""
    column: str = ""
    """Where it is stored: one of the columns of `webapp.catalogue.models.Task`, or several with a + between them,
    whose sum it is; "" for `Task.facets`. Fields of several benchmarks with one key and one column are one."""
    places: tuple[Place, ...] = PLACES
    """Where it is shown."""


@dataclass(frozen=True)
class TaskColumn:
    """What a short list of sessions has beside the title of a task."""

    keys: tuple[str, ...]
    """Of the fields whose values stand in it, one after the other. Columns of several benchmarks that begin with the
    same key are one."""
    label: str = ""
    """An English message id; "" for that of its first field."""


def check_keys(fields: Sequence[TaskField[T]], keys: Iterable[str]) -> None:
    """Raises ValueError where a key is that of no field with a value."""
    known = {own.key for own in fields if own.value is not None}
    if unknown := [key for key in keys if key not in known]:
        raise ValueError(f"no field with a value has these keys: {', '.join(unknown)}")


def check_fields(fields: Sequence[TaskField[T]]) -> None:
    """Raises ValueError where two fields of a place, or with values, share a key, or one is stored nowhere."""
    groups = {f"of the place {place!r}": [own for own in fields if place in own.places] for place in PLACES}
    for what, some in {**groups, "with a value": [own for own in fields if own.value is not None]}.items():
        keys = [own.key for own in some]
        if taken := sorted({key for key in keys if keys.count(key) > 1}):
            raise ValueError(f"several fields {what} have these keys: {', '.join(taken)}")
    if empty := [own.key for own in fields if own.value is None and not own.column]:
        raise ValueError(f"these fields have neither a value nor a column: {', '.join(empty)}")
