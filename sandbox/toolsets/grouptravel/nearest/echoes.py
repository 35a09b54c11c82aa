"""Carrying arguments over: a result that repeats what its call asked for repeats what another call asks for."""

from __future__ import annotations

from typing import Any

from sandbox.toolsets.grouptravel.nearest.change import Change, same

_DEEPEST = 64
"""No tool nests its results so far; what lies deeper stays as it is."""


def is_thing(value: object) -> bool:
    """Whether an object describes something of its own: its fields are facts, whatever a call asked for."""
    return isinstance(value, dict) and any(isinstance(value.get(key), str) for key in ("name", "title", "id"))


def with_arguments(value: Any, change: Change) -> Any:
    """A result (JSON) of the same thing, with the new argument wherever it repeats the cached one."""
    return _carried(value, change, "", 0)


def _carried(value: Any, change: Change, field: str, depth: int) -> Any:
    if depth > _DEEPEST or is_thing(value):
        return value
    if isinstance(value, list):
        return [_carried(each, change, "", depth + 1) for each in value]
    if isinstance(value, dict):
        return {name: _carried(each, change, name, depth + 1) for name, each in value.items()}
    return _carried_scalar(value, change, field)


def _carried_scalar(value: Any, change: Change, field: str) -> Any:
    before, now = change.before.get(field), change.now.get(field)
    if before is None or now is None or not same(field, value, before):
        return value
    return now if change.differs(field) else value
