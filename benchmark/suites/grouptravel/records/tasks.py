"""The task that a run record is of, as far as the record tells it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from benchmark.suites.base import ToldTask
from benchmark.suites.grouptravel.preferences import conflicts, part
from benchmark.suites.grouptravel.scoring.run_record import RunRecord, read_record
from benchmark.text import guarded

_CHINESE = guarded.compile("[\u4e00-\u9fff]")
_UNSTORABLE = guarded.compile("[\x00\ud800-\udfff]")
_NAMED = ("query", "time", "context", "metadata")


def told_task(record: Mapping[str, Any]) -> ToldTask:
    """The parts of a published task that a record has, and what lists show of it."""
    read = read_record(record)
    definition = {"task_id": record.get("task_id")}
    definition |= {name: record[name] for name in _NAMED if name in record}
    definition["user_preferences"] = record.get("original_preferences")
    return ToldTask(str(record.get("task_id")), definition, _listed(record, read))


def language_of(record: Mapping[str, Any]) -> str:
    """`zh` where the trip or what was said is in Chinese, else `en`."""
    read = read_record(record)
    words = [read.query, *(message.content[:200] for message in read.messages[:5])]
    return "zh" if any(_CHINESE.search(text) for text in words) or not any(words) else "en"


def _listed(record: Mapping[str, Any], read: RunRecord) -> dict[str, Any]:
    tables = read.originals or {user: own.table for user, own in read.references.items()}
    cities = list(dict.fromkeys(city for table in tables.values() for city in _cities(table)))
    return {
        "query": storable(read.query),
        "departure_date": _day(record.get("time")),
        "size": len(tables),
        "children": len(read.children or ()),
        "city_count": len(cities),
        "cities": cities,
        "conflicts": len(conflicts({user: table for user, table in tables.items() if table})),
        "language": language_of(record),
    }


def _cities(table: Any) -> list[str]:
    found = part(table, "city_specific_preferences")
    return [storable(str(city)) for city in found] if isinstance(found, dict) else []


def storable(text: str) -> str:
    """A text without what no database column takes: NUL and half characters."""
    return _UNSTORABLE.sub("\ufffd", text)


def _day(written: Any) -> date | None:
    try:
        return date.fromisoformat(written)
    except (TypeError, ValueError):
        return None
