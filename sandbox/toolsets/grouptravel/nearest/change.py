"""How a call differs from a cached one, and carrying the difference into a result that repeats its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.calls import Call
from sandbox.toolsets.base import ValidCall
from sandbox.toolsets.grouptravel.nearest.sameness import point_of, same_city
from sandbox.toolsets.grouptravel.search_along_route import DEFAULT_RANGE_M
from sandbox.toolsets.grouptravel.search_poi import DEFAULT_RADIUS_KM
from sandbox.worlds.geo import Point

_DEEPEST = 64
"""No tool nests its results so far; what lies deeper stays as it is."""


def is_thing(value: object) -> bool:
    """Whether an object describes something of its own: its fields are facts, whatever a call asked for."""
    return isinstance(value, dict) and any(isinstance(value.get(key), str) for key in ("name", "title", "id"))


def with_arguments(value: Any, change: Change) -> Any:
    """A result (JSON) of the same thing, with the new argument wherever it repeats the cached one."""
    return _carry(value, change, "", 0)


def _carry(value: Any, change: Change, field: str, depth: int) -> Any:
    if depth > _DEEPEST or is_thing(value):
        return value
    if isinstance(value, list):
        return [_carry(each, change, "", depth + 1) for each in value]
    if isinstance(value, dict):
        return {name: _carry(each, change, name, depth + 1) for name, each in value.items()}
    return _carried_scalar(value, change, field)


def _carried_scalar(value: Any, change: Change, field: str) -> Any:
    before, now = change.before.get(field), change.now.get(field)
    if before is None or now is None or not same(field, value, before):
        return value
    return now if change.differs(field) else value


_CITIES = frozenset(("origin", "destination", "city"))


@dataclass(frozen=True, slots=True)
class Change:
    """The tool's arguments, defaults filled in: those of the cached call and those of the one to answer.

    What the cached call had may be of any type; what is asked for was validated. point: the point that `location`
    names, where it is a name.
    """

    before: Mapping[str, Any]
    now: Mapping[str, Any]
    point: Point | None = None

    def differs(self, *names: str) -> bool:
        """Whether one of these arguments has another value than the cached call had."""
        return any(not same(name, self.before.get(name), self.now.get(name)) for name in names)

    def centre(self) -> Point | None:
        """The point around which is searched; None where there is none, or a name that nobody knows."""
        return point_of(self.now.get("location")) or self.point

    def radius_m(self) -> float:
        """How far from the centre at most."""
        return float(self.now.get("radius_km") or DEFAULT_RADIUS_KM) * 1000

    def route_range_m(self) -> int:
        """How far from a route at most."""
        return int(self.now.get("route_range") or DEFAULT_RANGE_M)


def change(cached: Call, valid: ValidCall, centre: Point | None = None) -> Change:
    """From a cached call to the one that is to be answered; null is the default."""
    fields = valid.tool.arguments.model_fields
    defaults = {name: None if field.is_required() else field.default for name, field in fields.items()}
    asked = valid.arguments.model_dump()
    return Change(_with_defaults(cached.arguments, defaults), _with_defaults(asked, defaults), centre)


def same(argument: str, one: object, other: object) -> bool:
    """Whether two values of an argument mean the same; a city is the same with 市 as without."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other or (argument in _CITIES and same_city(one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _with_defaults(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    return {name: default if given.get(name) is None else given[name] for name, default in defaults.items()}
