"""How each wish came to be known, or did not: said where, held in the wrong tier, stale after a compromise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from benchmark.suites.grouptravel.scoring.completeness import UserCompleteness
from benchmark.suites.grouptravel.scoring.evidence.speech import Speech
from benchmark.suites.grouptravel.scoring.leniency import items
from benchmark.suites.grouptravel.scoring.run_record import RunRecord

_NOTHING: dict[PreferenceField, Any] = {}
_SIBLINGS: dict[PreferenceField, tuple[PreferenceField, ...]] = {
    field: tuple(other for other in fields if other.topic == field.topic and other is not field)
    for fields in (GLOBAL_FIELDS, CITY_FIELDS)
    for field in fields
    if field.kind == "list"
}
"""The other tiers of a list field: where an item may stand that is known, but not for what it is."""


def elicitation(
    record: RunRecord, wanted: Mapping[str, FieldValues], known: Mapping[str, UserCompleteness]
) -> dict[str, list[dict[str, Any]]]:
    """For every user the fields that the reference fills, then those that the agent alone filled.

    Each is {path, found, missed, invented, wrong_tier, stale, said, mentioned, asked, compromise, counted}.
    wrong_tier: [item, path] of missed items that the agent holds in another tier. stale: what it still holds of
    the time before a compromise. said: [item, index in conversation_history of the message in which the traveller
    says it of themselves, for that city and in that sense, or None]. mentioned: [item, index] of what is not said
    with certainty but named by the traveller. asked: index of the first question about the topic, where something
    was not said; None: nobody asked. compromise: index in compromise_log of the last that changed the field, else
    None. counted: whether the field counts; what the agent alone filled costs nothing.
    """
    speech = Speech(record, wanted)
    changed = former_values(record, wanted)
    by_user = {}
    for user, held in wanted.items():
        entries = _entries(user, known[user], speech) + _only_believed(held, known[user].beliefs)
        for entry in entries if user in changed else ():
            _add_compromise(entry, changed[user])
        by_user[user] = entries
    return by_user


_ENTRY: dict[str, Any] = {
    "path": "",
    "found": [],
    "missed": [],
    "invented": [],
    "wrong_tier": [],
    "stale": [],
    "said": [],
    "mentioned": [],
    "asked": None,
    "compromise": None,
    "counted": True,
}
"""A field of which nothing is known. Its empty lists stand in all evidence, and nobody adds to them."""


def _entries(user: str, known: UserCompleteness, speech: Speech) -> list[dict[str, Any]]:
    """One a filled field, in the order in which they were compared."""
    heard, questions = speech.speech_of(user), speech.questions
    silent = not heard.text
    entries = []
    for field, city, path, wishes, found, missed, invented in known.fields:
        entry = _ENTRY.copy()
        entry["path"], entry["found"] = path, found
        if missed:
            entry["missed"] = missed
            if (believed := known.beliefs.get(city)) and (
                misplaced := _wrong_tier(missed, field, city, believed)
            ):
                entry["wrong_tier"] = misplaced
        if invented:
            entry["invented"] = invented
        if silent:
            entry["said"], unsaid = [[wish, None] for wish in wishes], bool(wishes)
        else:
            entry["said"], entry["mentioned"], unsaid = heard.find(field, city, wishes)
        if unsaid and questions:
            entry["asked"] = speech.question_about(user, field.topic, city)
        entries.append(entry)
    return entries


def _wrong_tier(
    missed: Sequence[Any], field: PreferenceField, city: str, believed: Mapping[PreferenceField, Any]
) -> list[list[Any]]:
    misplaced: list[list[Any]] = []
    for other in _SIBLINGS.get(field, ()):
        held = believed.get(other)
        if isinstance(held, list):
            misplaced += [[item, paths_in(city)[other]] for item in missed if item in held]
    return misplaced


def _add_compromise(entry: dict[str, Any], changed: Mapping[str, FieldHistory]) -> None:
    change = changed.get(entry["path"])
    if change is not None:
        entry["compromise"] = change.last
        entry["stale"] = [item for item in entry["invented"] if change.had_item(item)]


def _only_believed(wanted: FieldValues, believed: FieldValues) -> list[dict[str, Any]]:
    """What the agent holds in fields that the reference leaves empty."""
    entries = []
    for city, held in believed.items():
        filled = wanted.get(city, _NOTHING)
        for field in held if held.keys() - filled.keys() else ():
            if field not in filled:
                value = held[field]
                invented = [value] if field.kind == "scalar" else list(items(value))
                entries.append(
                    _ENTRY | {"path": paths_in(city)[field], "invented": invented, "counted": False}
                )
    return entries


# What a field held before each compromise that changed it.


class FieldHistory(NamedTuple):
    """last: index in the compromise_log of the last that changed the field. former: all it held before, in order."""

    last: int
    former: list[Any]

    def had_item(self, item: Any) -> bool:
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
