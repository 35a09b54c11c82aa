"""What the agent makes of the chat: preference tables in the published shape."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any

from benchmark.core.view import Message
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.picture import read_chat
from benchmark.suites.grouptravel.agent.summary import tables
from benchmark.suites.grouptravel.view import GroupTurn, GroupView, Traveller
from tests.model_server.scene import Scene

Table = dict[str, Any]
Transport = dict[str, list[str]]
_NO_DATE = date(2026, 1, 1)


def believed_tables(scene: Scene) -> dict[str, Table]:
    """{traveller: preference table}, read from what each has said so far."""
    chat = tuple((line.speaker, line.text) for line in scene.chat)
    return _tables_from_chat(chat, scene.travellers, scene.cities, scene.english)


@lru_cache(maxsize=256)
def _tables_from_chat(
    chat: tuple[tuple[str, str], ...], travellers: tuple[str, ...], cities: tuple[str, ...], english: bool
) -> dict[str, Table]:
    view = GroupView(
        me="Agent",
        language="en" if english else "zh",
        seed=0,
        query="",
        time="",
        context="",
        travellers=tuple(Traveller(name, "") for name in travellers),
        companions=(),
        max_turn=0,
        convergence_interval=1,
        round=0,
        messages=tuple(Message(at, speaker, text) for at, (speaker, text) in enumerate(chat)),
        turn=GroupTurn("polled"),
    )
    brief = Brief("", cities, 1, _NO_DATE, len(travellers), (), view.language)
    return tables(read_chat(view, brief), brief)


def wishes(tables: dict[str, Table], city: str, kind: str, field: str) -> list[str]:
    """What anybody has in a list of a city's preferences, such as `attractions`, `must_visit`."""
    found = [
        item
        for table in tables.values()
        for item in table.get("city_specific_preferences", {}).get(city, {}).get(kind, {}).get(field, ())
    ]
    return list(dict.fromkeys(found))


def transport(table: Table) -> Transport:
    """The transport lists of a table."""
    return dict(table.get("global_constraints", {}).get("transport", {}))


def budget(table: Table) -> float | None:
    """The budget a person, None where it is not known."""
    value = table.get("global_constraints", {}).get("avg_budget")
    return float(value) if isinstance(value, (int, float)) else None
