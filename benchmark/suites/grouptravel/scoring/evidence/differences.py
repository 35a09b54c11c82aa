"""What differs between the evidence of two scores: of two profiles, two versions, two runs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class Difference(NamedTuple):
    """One thing that two pieces of evidence do not say alike.

    part: completeness, utility, splits, validity, not_checkable or fairness. where: what tells it from the others
    of its part, such as user and path. first, second: what each says, None where it says nothing of it.
    """

    part: str
    where: tuple[Any, ...]
    first: Any
    second: Any


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Difference]:
    """Every difference, part by part, in the order of the first and then of the second; [] when they say the same.

    Takes the `evidence` of two scores. Points and issues are told apart by what they are about, never by their
    place in a list.
    """
    all_differences: list[Difference] = []
    for part, keys in _KEYS.items():
        all_differences += _differences_of(
            part, _key_entries(first.get(part), keys), _key_entries(second.get(part), keys)
        )
    for part in ("completeness", "fairness"):
        all_differences += _differences_of(
            part, dict(_flat(part, first.get(part))), dict(_flat(part, second.get(part)))
        )
    return all_differences


_PLACE = ("day", "segment", "activity")
_KEYS: dict[str, tuple[str, ...]] = {
    "utility": ("user", "path", "item", *_PLACE),
    "splits": ("day", "segment", "activities"),
    "validity": ("type", "users", *_PLACE, "location"),
    "not_checkable": ("type", *_PLACE, "location"),
}
_KeyedEntries = dict[tuple[Any, ...], Any]


def _differences_of(part: str, first: _KeyedEntries, second: _KeyedEntries) -> Iterator[Difference]:
    for key in [*first, *[key for key in second if key not in first]]:
        if first.get(key) != second.get(key):
            yield Difference(part, tuple(map(json.loads, key[:-1])), first.get(key), second.get(key))


def _key_entries(entries: Any, names: tuple[str, ...]) -> _KeyedEntries:
    """Entries by what they are about; several about the same are numbered."""
    counts: dict[tuple[str, ...], int] = defaultdict(int)
    keyed: _KeyedEntries = {}
    for entry in entries or ():
        key = tuple([json.dumps(entry[name]) for name in names])
        keyed[*key, counts[key]] = entry
        counts[key] += 1
    return keyed


def _flat(part: str, value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Completeness by user and path, its figures by name; fairness by name."""
    if not isinstance(value, Mapping):
        return
    for name, held in value.items():
        if part == "completeness" and name == "users":
            for user, fields in held.items():
                yield from (((json.dumps(user), json.dumps(f["path"]), 0), f) for f in fields)
        else:
            yield (json.dumps(name), 0), held
