"""The task that a run record is of, as far as the record tells it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, get_args

from benchmark.suites.base import Cell, RecordTask
from benchmark.suites.grouptravel.preferences import conflicts, part
from benchmark.suites.grouptravel.scoring.run_record import RunRecord, read_record
from benchmark.suites.grouptravel.tasks.task import (
    LIMITS,
    ChildMember,
    Difficulty,
    Metadata,
    Task,
    TravellerCard,
)
from benchmark.text import guarded

_CHINESE = guarded.compile("[\u4e00-\u9fff]")
_UNSTORABLE = guarded.compile("[\x00\ud800-\udfff]")
_DEPARTURE = guarded.compile(
    r"(?:出发城市|出发地|departure city)\s*[:：]\s*([^\s；;，,。|]+)", guarded.IGNORECASE
)
_NUMBER = "[0-9一二两三四五六七八九十]+"
_LENGTH = guarded.compile(
    rf"{_NUMBER}\s*(?:天|日)(?:{_NUMBER}\s*[晚夜])?|[0-9]+[ -]days?", guarded.IGNORECASE
)
_TOLD_FIELDS = ("query", "time", "context", "metadata")


def told_task(record: Mapping[str, Any]) -> RecordTask:
    """The parts of a published task that a record has, and what lists show of it."""
    read = read_record(record)
    definition = {"task_id": record.get("task_id")}
    definition |= {name: record[name] for name in _TOLD_FIELDS if name in record}
    definition["user_preferences"] = cards_of(record, read)
    definition["max_turn"] = record.get("max_turn")
    return RecordTask(
        str(record.get("task_id")),
        definition,
        _fields(record, read),
        storable(read.query),
        language_of(record),
    )


def cards_of(record: Mapping[str, Any], read: RunRecord) -> dict[str, dict[str, Any]]:
    """The card of each traveller, as far as the record has one."""
    return {user: _card(record, read, user) for user in read.users}


def _card(record: Mapping[str, Any], read: RunRecord, user: str) -> dict[str, Any]:
    """The card as the record has it from before all compromises, else its effective one, else an empty one."""
    for name in ("original_preferences", "effective_preferences"):
        entry = part(record.get(name), user)
        if isinstance(entry, dict):
            own = entry if "preference" in entry else {"role": read.roles.get(user, ""), "preference": entry}
            if isinstance(own["preference"], dict):
                return own
    return {"role": read.roles.get(user, ""), "preference": {}}


def read_told(definition: Mapping[str, Any]) -> Task:
    """The task of a definition as `told_task` gives it, to be shown: what it does not tell is empty.

    The city of departure and the length of the trip are looked for in the words of the task.
    """
    told = _without_halves(definition)
    cards = _object(told.get("user_preferences"))
    return Task.model_construct(
        task_id=_words(told.get("task_id")),
        query=_words(told.get("query")),
        time=_words(told.get("time")),
        context=_words(told.get("context")),
        metadata=_metadata(told, _object(told.get("metadata"))),
        user_preferences={user: _told_card(card) for user, card in cards.items()},
        difficulty_type=_difficulty(told.get("max_turn")),
    )


def _metadata(told: Mapping[str, Any], own: Mapping[str, Any]) -> Metadata:
    query, context = _words(told.get("query")), _words(told.get("context"))
    home = _DEPARTURE.search(context)
    lasts = _LENGTH.search(query)
    tables = (part(card, "preference") for card in _object(told.get("user_preferences")).values())
    children = [part(child, "user") for child in _list(own.get("child_members"))]
    return Metadata.model_construct(
        departure_city=_words(own.get("departure_city")) or (home[1] if home else ""),
        cities=_texts(own.get("cities"))
        or list(dict.fromkeys(city for table in tables for city in _cities(table))),
        date=_words(own.get("date")) or (lasts[0] if lasts else ""),
        child_members=[ChildMember(user=name) for name in children if name and isinstance(name, str)],
    )


def _difficulty(rounds: Any) -> Difficulty:
    """By the limit of rounds; the lowest where that is none of the published ones."""
    names: tuple[Difficulty, ...] = get_args(Difficulty)
    return next((name for name in names if LIMITS[name][0] == rounds), names[0])


def _told_card(card: Any) -> TravellerCard:
    table = part(card, "preference")
    return TravellerCard.model_construct(
        role=_words(part(card, "role")),
        preference=table if isinstance(table, dict) else {},
        compromisable=part(card, "compromisable") is True,
    )


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [text for text in _list(value) if isinstance(text, str)]


def _without_halves(definition: Mapping[str, Any]) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(storable(json.dumps(definition, ensure_ascii=False)))
    return whole


def language_of(record: Mapping[str, Any]) -> str:
    """`zh` where the trip or what was said is in Chinese, else `en`."""
    read = read_record(record)
    words = [read.query, *(message.content[:200] for message in read.messages[:5])]
    return "zh" if any(_CHINESE.search(text) for text in words) or not any(words) else "en"


def _fields(record: Mapping[str, Any], read: RunRecord) -> dict[str, Cell]:
    tables = read.originals or {user: own.table for user, own in read.references.items()}
    cities = list(dict.fromkeys(city for table in tables.values() for city in _cities(table)))
    return {
        "leaves": _day(record.get("time")),
        "size": len(tables),
        "children": len(read.children or ()),
        "cities": cities,
        "conflicts": len(conflicts({user: table for user, table in tables.items() if table})),
    }


def _cities(table: Any) -> list[str]:
    by_city = part(table, "city_specific_preferences")
    return [storable(str(city)) for city in by_city] if isinstance(by_city, dict) else []


def storable(text: str) -> str:
    """A text without what no database column takes: NUL and half characters."""
    return _UNSTORABLE.sub("\ufffd", text)


def _day(written: Any) -> date | None:
    try:
        return date.fromisoformat(written)
    except (TypeError, ValueError):
        return None
