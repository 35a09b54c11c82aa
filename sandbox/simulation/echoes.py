"""Carrying arguments over: a result that repeats what its call asked for repeats what another call asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from sandbox.simulation.change import Change, point_of, same
from sandbox.worlds.geo import format_point

_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)", re.ASCII)
_DEEPEST = 64
"""No tool nests its results so far; what lies deeper stays as it is."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a result one is. field: whose value it is. thing: inside an object that describes a thing.

    end: the argument whose object, {"name": …, "location": …}, one is inside.
    """

    field: str = ""
    thing: bool = False
    end: str = ""
    depth: int = 0

    def under(self, field: str, *, thing: bool, points: bool) -> _Place:
        end = self.field if points else self.end
        return _Place(field, self.thing or thing, end, self.depth + 1)


def is_thing(value: object) -> bool:
    """Whether an object describes something of its own: its fields are facts, whatever a call asked for."""
    return isinstance(value, dict) and any(isinstance(value.get(key), str) for key in ("name", "title", "id"))


def with_arguments(value: Any, change: Change) -> Any:
    """A result (JSON) with the new argument wherever it repeats the cached one, and its dates moved along."""
    return _carried(value, change, _Place())


def with_dates_moved(text: str, days: int) -> str:
    """A text with every date YYYY-MM-DD moved, as far as there is a calendar."""
    return _DATE.sub(lambda found: _moved(found[0], days), text) if days else text


def _carried(value: Any, change: Change, place: _Place) -> Any:
    if place.depth > _DEEPEST:
        return value
    if isinstance(value, list):
        inside = replace(place, field="", depth=place.depth + 1)
        return [_carried(each, change, inside) for each in value]
    if isinstance(value, dict):
        return _carried_object(value, change, place)
    return _carried_scalar(value, change, place)


def _carried_object(value: dict[str, Any], change: Change, place: _Place) -> dict[str, Any]:
    thing, points, days = is_thing(value), _moves_point(place.field, change), change.days_moved()
    return {
        with_dates_moved(name, days): _carried(each, change, place.under(name, thing=thing, points=points))
        for name, each in value.items()
    }


def _carried_scalar(value: Any, change: Change, place: _Place) -> Any:
    before, now = change.before.get(place.field), change.now.get(place.field)
    if not place.thing and before is not None and now is not None and same(place.field, value, before):
        return now if change.differs(place.field) else value
    if not isinstance(value, str):
        return value
    if place.end and point_of(value) == point_of(change.before[place.end]):
        return _point_text(change, place)
    return with_dates_moved(value, change.days_moved())


def _moves_point(argument: str, change: Change) -> bool:
    """Whether both calls gave this argument as a coordinate: then it is known where the new one lies."""
    before, now = point_of(change.before.get(argument)), point_of(change.now.get(argument))
    return before is not None and now is not None


def _point_text(change: Change, place: _Place) -> str:
    """The new coordinate, as our tools write one under `location`, elsewhere as the call gave it."""
    asked = str(change.now[place.end]).strip()
    point = point_of(asked)
    return format_point(point) if point and place.field == "location" else asked


def _moved(text: str, days: int) -> str:
    try:
        return (date.fromisoformat(text) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return text
