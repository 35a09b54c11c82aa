"""What a field held before each compromise that changed it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import (
    CITY_FIELDS,
    GLOBAL_FIELDS,
    FieldValues,
    PreferenceField,
    cities,
    descend,
    paths_in,
    read,
)
from benchmark.suites.grouptravel.scoring.run_record import RunRecord


class FieldHistory(NamedTuple):
    """last: index in the compromise_log of the last that changed the field. former: all it held before, in order."""

    last: int
    former: list[Any]

    def held(self, item: Any) -> bool:
        """Whether the field ever held `item` before."""
        return any(item in value if isinstance(value, list) else item == value for value in self.former)


def former_values(record: RunRecord, wanted: Mapping[str, FieldValues]) -> dict[str, dict[str, FieldHistory]]:
    """By user and path every field that a compromise changed, alone or with its group.

    wanted: the filled tables after all compromises.
    """
    values: dict[str, dict[str, FieldHistory]] = {}
    now: dict[tuple[str, str], Any] = {}
    for index, user, path, value in record.compromises:
        table = record.originals.get(user)
        for field, city, keys in _fields_at(path, [*cities(table), *wanted.get(user, ())]):
            own, at = values.setdefault(user, {}), paths_in(city)[field]
            before = own[at].former if at in own else []
            own[at] = FieldHistory(index, [*before, now.get((user, at), read(table, field, city))])
            now[user, at] = descend(value, keys)
    return values


def _fields_at(path: str, known: Iterable[str]) -> Iterator[tuple[PreferenceField, str, tuple[str, ...]]]:
    """The fields at a dotted path or below it, each with its city and with the keys that lead there from the path."""
    for city in dict.fromkeys(["", *known]):
        for field in CITY_FIELDS if city else GLOBAL_FIELDS:
            whole = paths_in(city)[field]
            if whole == path:
                yield field, city, ()
            elif whole.startswith(f"{path}."):
                yield field, city, tuple(whole[len(path) + 1 :].split("."))
