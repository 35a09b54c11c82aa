"""Faults in the agent's table, which completeness reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmark.suites.grouptravel.preferences.schema import CITY_ROOT, GLOBAL_ROOT
from benchmark.suites.grouptravel.preferences.tables import part
from benchmark.suites.grouptravel.scoring.faults.fault import Fault
from benchmark.suites.grouptravel.scoring.faults.lists import list_faults
from benchmark.suites.grouptravel.scoring.run_record import RunRecord

_ROOT = "agent_preference_table"
_GROUPS = ("transport", "intensity", "hotel_preference")


def belief_faults(record: RunRecord) -> Iterator[Fault]:
    """A user's table, or all of them, that is null or no object, and filled parts that are no objects or no lists.

    Other nulls pass.
    """
    believed = record.believed
    if not isinstance(believed, dict):
        yield Fault(_ROOT, "no_table" if believed is None else "no_object")
        return
    for user in record.references:
        if user in believed:
            yield from _of_table(f"{_ROOT}.{user}", believed[user])


def _of_table(path: str, table: Any) -> Iterator[Fault]:
    if table is None:
        yield Fault(path, "no_table")
    for name, held in _parts(path, table):
        if held and not isinstance(held, dict):
            yield Fault(name, "no_object")
    yield from list_faults(path, table)


def _parts(path: str, table: Any) -> Iterator[tuple[str, Any]]:
    """Everything in a table that should be an object and is looked into."""
    shared, own = part(table, GLOBAL_ROOT), part(table, CITY_ROOT)
    yield from ((path, table), (f"{path}.{GLOBAL_ROOT}", shared), (f"{path}.{CITY_ROOT}", own))
    for name in _GROUPS:
        yield f"{path}.{GLOBAL_ROOT}.{name}", part(shared, name)
    for city in own if isinstance(own, dict) else ():
        yield f"{path}.{CITY_ROOT}.{city}", own[city]
