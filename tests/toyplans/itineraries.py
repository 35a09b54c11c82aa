"""The plans of the toy: `{"days": [{"date", "city", "stops": [{"kind", "name", "start", "end", "cost"}]}]}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from benchmark.core.setting import Setting
from benchmark.plans.clock import minutes
from benchmark.plans.finding import first_object
from benchmark.plans.places import locate
from benchmark.plans.view import Cost, CostLine, Day, Entry, Findings, Kind, Mark, PlanView, Ref, When
from benchmark.suites.base import Option, Plans

WAKES = Option(key="wakes", label="Hour at which the guest wakes", default=9, name="waking hour")
_TEXT = {"type": "string"}
_CLOCK = {"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"}
STOP = {
    "type": "object",
    "required": ["kind", "name", "start", "end"],
    "properties": {
        "kind": {"enum": list(get_args(Kind))},
        "name": _TEXT,
        "start": _CLOCK,
        "end": _CLOCK,
        "cost": {"type": "number"},
    },
}
DAY = {
    "type": "object",
    "required": ["date", "city", "stops"],
    "properties": {"date": _TEXT, "city": _TEXT, "stops": {"type": "array", "items": STOP}},
}
SCHEMA = {
    "type": "object",
    "required": ["days"],
    "properties": {"days": {"type": "array", "minItems": 1, "items": DAY}},
}


def find_plan(text: str, _before: Any = None) -> dict[str, Any] | None:
    found = first_object(text)
    return found if found is not None and "days" in found else None


def _parts(owner: Any, key: str) -> list[tuple[int, Mapping[str, Any]]]:
    parts = owner.get(key) if isinstance(owner, Mapping) else None
    listed = parts if isinstance(parts, list) else []
    return [(at, part) for at, part in enumerate(listed) if isinstance(part, Mapping)]


def _entry(stop: Mapping[str, Any], day_at: int, at: int, city: str, setting: Setting[Any, Any]) -> Entry:
    start, end, name = stop.get("start"), stop.get("end"), str(stop.get("name", ""))
    point = locate(setting.pack, name, city) if setting.pack else None
    return Entry(
        stop["kind"] if stop.get("kind") in get_args(Kind) else "other",
        ("days", day_at, "stops", at),
        name,
        When(minutes(start), minutes(end), text=f"{start}–{end}"),
        Ref(name, city, point=point),
        cost=Cost(stop["cost"]) if isinstance(stop.get("cost"), int | float) else None,
    )


def view_plan(plan: Any, setting: Setting[Any, Any]) -> PlanView:
    days = []
    for at, day in _parts(plan, "days"):
        city = str(day.get("city", ""))
        entries = tuple(_entry(stop, at, n, city, setting) for n, stop in _parts(day, "stops"))
        days.append(Day(("days", at), str(at + 1), str(day.get("date", "")), (city,), entries))
    costs = [entry.cost.amount or 0 for day in days for entry in day.entries if entry.cost]
    return PlanView(tuple(days), (CostLine("in all", sum(costs), setting.task.budget),))


def _marks(view: PlanView, wakes: int) -> Iterator[Mark]:
    for line in view.costs:
        if line.exceeds_limit:
            yield Mark((), "dear", {"over": line.amount - (line.limit or 0)})
    for day in view.days:
        if not any(entry.kind == "meal" for entry in day.entries):
            yield Mark(day.at, "hungry", profile="strict")
        for entry in day.entries:
            if entry.when.start is not None and entry.when.start < wakes * 60:
                yield Mark(entry.at, "early", {"start": entry.when.text[:5]}, ("Guest",))


def all_marks(plan: Any, setting: Setting[Any, Any]) -> list[Mark]:
    return list(_marks(view_plan(plan, setting), int(setting.options[WAKES.key])))


def check(plan: Any, setting: Setting[Any, Any]) -> Findings:
    """By the first rules: an agent is not to know of the strict ones."""
    return Findings(tuple(mark for mark in all_marks(plan, setting) if not mark.profile))


PLANS = Plans(find_plan, view_plan, SCHEMA, check)
