"""Between a task's definition and the flat values of its form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import (
    CITY_FIELDS,
    CITY_ROOT,
    GLOBAL_FIELDS,
    GLOBAL_ROOT,
    PreferenceField,
    part,
    read,
)
from benchmark.suites.grouptravel.statistics.task import formula_score
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from benchmark.suites.grouptravel.synthesis.difficulty import level
from benchmark.suites.grouptravel.synthesis.sentences import context, duration, query
from benchmark.suites.grouptravel.tasks.task import days_of

BLANK: Mapping[str, Any] = {
    "task_id": "",
    "query": "",
    "time": "",
    "context": "",
    "metadata": {
        "departure_city": "",
        "cities": [""],
        "date": "",
        "group_id": "",
        "group_name": "",
        "group_tags": [],
        "compromise_pattern": [],
        "child_members": [],
    },
    "user_preferences": {
        "User1": {"role": "", "preference": {}, "compromisable": False},
        "User2": {"role": "", "preference": {}, "compromisable": False},
    },
    "initial_messages": [],
    "difficulty_score": 0.0,
    "difficulty_type": "",
}
"""A new task, with its keys in the published order."""


class Values(NamedTuple):
    """What a form holds. flat: by the names of its fields; users: in polling order."""

    flat: dict[str, Any]
    users: list[str]
    city_count: int


def values_of(definition: Mapping[str, Any]) -> Values:
    """What a form of this definition begins with."""
    metadata = definition["metadata"]
    cards: Mapping[str, Any] = definition["user_preferences"]
    cities, language = list(metadata["cities"]), definition.get("language", "zh")
    children = metadata.get("child_members", [])
    flat: dict[str, Any] = {
        "task_id": definition["task_id"],
        "language": language,
        "departure_city": metadata["departure_city"],
        "time": definition["time"],
        "days": days_of(metadata["date"]) or "",
        "group_id": metadata.get("group_id", ""),
        "group_name": metadata.get("group_name", ""),
        "group_tags": "\n".join(metadata.get("group_tags", [])),
        "children": "\n".join(f"{child['user']}: {child.get('role', '')}" for child in children),
        "difficulty": _own_difficulty(definition),
        **{
            name: "" if text == definition.get(name) else definition.get(name, "")
            for name, text in _derived_sentences(definition).items()
        },
        **{f"city{number}": city for number, city in enumerate(cities)},
    }
    openings = _openings(definition)
    for at, (user, card) in enumerate(cards.items()):
        flat |= {f"u{at}-{name}": value for name, value in _of_card(card, cities).items()}
        flat[f"u{at}-opening"] = openings.get(user, "")
    return Values(flat, list(cards), len(cities))


def _of_card(card: Mapping[str, Any], cities: Sequence[str]) -> dict[str, Any]:
    table = card.get("preference")
    fields: dict[str, Any] = {"role": card.get("role", ""), "compromisable": card.get("compromisable", False)}
    for field in GLOBAL_FIELDS:
        fields[".".join(field.keys)] = _form_value(field, read(table, field))
    for number, city in enumerate(cities):
        for field in CITY_FIELDS:
            fields[f"c{number}-{'.'.join(field.keys)}"] = _form_value(field, read(table, field, city))
    return fields


def _form_value(field: PreferenceField, value: Any) -> Any:
    if value is None:
        return ""
    if field.kind == "list":
        return "\n".join(map(str, value)) if isinstance(value, list) else str(value)
    return value


def _openings(definition: Mapping[str, Any]) -> dict[str, str]:
    """The first message of each user."""
    openings: dict[str, str] = {}
    for message in definition.get("initial_messages", []):
        openings.setdefault(message["role"], message["content"])
    return openings


def _people(definition: Mapping[str, Any]) -> int:
    return len(definition["user_preferences"]) + len(definition["metadata"].get("child_members", []))


def _derived_sentences(definition: Mapping[str, Any]) -> dict[str, str]:
    """The sentences that say what other fields say."""
    metadata, language = definition["metadata"], definition.get("language", "zh")
    people = _people(definition)
    roles = [child.get("role", "") for child in metadata.get("child_members", [])]
    group = metadata.get("group_name", "")
    return {
        "query": query(metadata["cities"], metadata["date"], people, language),
        "context": context(metadata["departure_city"], definition["time"], group, people, roles, language),
    }


def _own_difficulty(definition: Mapping[str, Any]) -> str:
    """The difficulty where it is not that of the formula."""
    metadata = definition["metadata"]
    score = formula_score(_people(definition), days_of(metadata["date"]), len(metadata["cities"]))
    by_formula = None if score is None else level(score)
    own = str(definition.get("difficulty_type", ""))
    return "" if own == by_formula else own


def write_definition(base: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """The definition with what a form holds; keys of `base` that the form does not know stay."""
    task, flat = deepcopy(dict(base)), values.flat
    metadata = task["metadata"]
    language = flat["language"]
    if language != task.get("language", "zh"):
        task["language"] = language
    task["task_id"] = flat.get("task_id", task["task_id"])
    task["time"] = str(flat["time"])
    cities = [str(flat[f"city{number}"]) for number in range(values.city_count)]
    archetype = ARCHETYPES.get(flat["group_id"])
    metadata |= {
        "departure_city": flat["departure_city"],
        "cities": cities,
        "date": _lasts(metadata["date"], flat["days"], language),
        "group_id": flat["group_id"],
        "group_name": flat["group_name"] or (archetype.name(language) if archetype else ""),
        "group_tags": _lines(flat["group_tags"]),
        "child_members": _children(metadata.get("child_members", []), _lines(flat["children"])),
    }
    task["user_preferences"] = {
        user: _card(base["user_preferences"].get(user), base, flat, at, cities)
        for at, user in enumerate(values.users)
    }
    metadata["compromise_pattern"] = _pattern(
        metadata.get("compromise_pattern", []), task["user_preferences"]
    )
    task["initial_messages"] = _messages(
        task.get("initial_messages", []),
        {user: flat[f"u{at}-opening"] for at, user in enumerate(values.users)},
    )
    _rate(task, flat["difficulty"])
    said = _derived_sentences(task)
    return task | {name: flat[name] or said[name] for name in said}


def _lines(value: Any) -> list[str]:
    return value.splitlines() if isinstance(value, str) else list(value)


def _lasts(before: str, days: Any, language: str) -> str:
    """The duration in words; those that are there stay while they say the same."""
    if not isinstance(days, int):
        return str(days)
    return before if days_of(before) == days else duration(days, language)


def _children(before: Sequence[Mapping[str, Any]], told: Sequence[str]) -> list[dict[str, Any]]:
    known = {child["user"]: child for child in before}
    children = []
    for line in told:
        user, _, role = (piece.strip() for piece in line.replace("：", ":", 1).partition(":"))
        children.append({**known.get(user, {}), "user": user, "role": role})
    return children


def _card(
    before: Mapping[str, Any] | None,
    base: Mapping[str, Any],
    flat: Mapping[str, Any],
    at: int,
    cities: Sequence[str],
) -> dict[str, Any]:
    card = deepcopy(dict(before)) if before else {"role": "", "preference": {}, "compromisable": False}
    card["role"], card["compromisable"] = flat[f"u{at}-role"], bool(flat[f"u{at}-compromisable"])
    table = card["preference"] = _object(card, "preference")
    own = table[GLOBAL_ROOT] = _object(table, GLOBAL_ROOT)
    for field in GLOBAL_FIELDS:
        _put(own, field, flat[f"u{at}-{'.'.join(field.keys)}"])
    table[CITY_ROOT] = _city_tables(_object(table, CITY_ROOT), base["metadata"]["cities"], cities)
    for number, city in enumerate(cities):
        for field in CITY_FIELDS:
            _put(table[CITY_ROOT][city], field, flat[f"u{at}-c{number}-{'.'.join(field.keys)}"])
    return card


def _city_tables(before: Mapping[str, Any], old: Sequence[str], cities: Sequence[str]) -> dict[str, Any]:
    """A table for each city, then those of cities that never were destinations."""
    tables: dict[str, Any] = {city: _object(before, city) for city in cities}
    return tables | {city: table for city, table in before.items() if city not in (*old, *cities)}


def _object(node: Any, name: str) -> dict[str, Any]:
    """A copy of the object of this name, an empty one where there is none."""
    held = part(node, name)
    return dict(held) if isinstance(held, dict) else {}


def _put(root: dict[str, Any], field: PreferenceField, value: Any) -> None:
    node = root
    for name in field.keys[:-1]:
        inner = _object(node, name)
        node[name], node = inner, inner
    if field.kind == "list":
        node[field.keys[-1]] = _lines(value)
    elif value in (None, ""):
        node.pop(field.keys[-1], None)
    else:
        node[field.keys[-1]] = int(value) if isinstance(value, float) and value.is_integer() else value


def _pattern(before: Sequence[str], cards: Mapping[str, Any]) -> list[str]:
    """Those who may compromise; the order that is there stays."""
    may = [user for user in sorted(cards, key=_natural) if cards[user]["compromisable"]]
    kept = [user for user in before if user in may]
    return kept + [user for user in may if user not in kept]


def _natural(user: str) -> tuple[str, int]:
    name = user.rstrip("0123456789")
    digits = user[len(name) :]
    return name, int(digits) if digits else -1


def _messages(before: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> list[dict[str, Any]]:
    """The first message of each user says what the form has; others of somebody who still travels stay."""
    messages: list[dict[str, Any]] = []
    left = dict(said)
    for message in before:
        user = message["role"]
        if user in left:
            text = left.pop(user)
            messages += [{**message, "content": text}] if text else []
        elif user in said:
            messages.append(dict(message))
    return messages + [
        {"role": user, "content": left[user]} for user in sorted(left, key=_natural) if left[user]
    ]


def _rate(task: dict[str, Any], chosen: str) -> None:
    """The difficulty score by the formula, where it has one, and the type that was chosen or follows from it."""
    metadata = task["metadata"]
    score = formula_score(_people(task), days_of(metadata["date"]), len(metadata["cities"]))
    if score is not None:
        task["difficulty_score"] = score
    task["difficulty_type"] = chosen or ("" if score is None else level(score))


def reshape(definition: Mapping[str, Any], do: str) -> dict[str, Any]:
    """A definition with a traveller or city more or less, or travellers in another order; unchanged for another `do`.

    do: add-user, add-city, drop-user-N, drop-city-N or up-user-N, N counting from 0.
    """
    task = deepcopy(dict(definition))
    verb, what, number = (*do.split("-"), "", "", "")[:3]
    users, cities = list(task["user_preferences"]), task["metadata"]["cities"]
    at = int(number) if number.isdecimal() else -1
    if (verb, what) == ("add", "user"):
        task["user_preferences"][_fresh(task)] = deepcopy(BLANK["user_preferences"]["User1"])
    elif (verb, what) == ("add", "city") and "" not in cities:
        cities.append("")
    elif (verb, what) == ("drop", "city") and 0 <= at < len(cities):
        _drop_city(task, cities.pop(at))
    elif (verb, what) == ("drop", "user") and 0 <= at < len(users):
        _drop_user(task, users[at])
    elif (verb, what) == ("up", "user") and 0 < at < len(users):
        users[at - 1 : at + 1] = users[at], users[at - 1]
        task["user_preferences"] = {user: task["user_preferences"][user] for user in users}
    return task


def _fresh(task: Mapping[str, Any]) -> str:
    """The next name of a user that nobody has."""
    taken = {*task["user_preferences"], *(child["user"] for child in task["metadata"]["child_members"])}
    return next(name for number in range(1, len(taken) + 2) if (name := f"User{number}") not in taken)


def _drop_city(task: dict[str, Any], city: str) -> None:
    for card in task["user_preferences"].values():
        card["preference"][CITY_ROOT].pop(city, None)


def _drop_user(task: dict[str, Any], user: str) -> None:
    del task["user_preferences"][user]
    pattern = task["metadata"]["compromise_pattern"]
    task["metadata"]["compromise_pattern"] = [name for name in pattern if name != user]
    task["initial_messages"] = [message for message in task["initial_messages"] if message["role"] != user]
