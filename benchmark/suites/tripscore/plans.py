"""TripScore's plans as pages show them, and the schema of those that are as they should be (appendix H.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from benchmark.core.setting import Setting
from benchmark.plans.view import Day, Entry, Kind, Plan, PlanView, Ref, When, Where
from benchmark.suites.base import Plans
from benchmark.suites.tripscore.itineraries import find_plan
from benchmark.suites.tripscore.scoring.sessions import check_plan
from benchmark.suites.tripscore.scoring.trip import (
    HOTEL,
    PERIODS,
    POI,
    TRANSPORT,
    TYPES,
    VISIT_WINDOWS,
    Lookup,
)
from benchmark.suites.tripscore.tasks import Task

_TEXT: Final = {"type": "string", "pattern": r"\S"}
_ITEM: Final = {
    "type": "object",
    "required": ["type", "id", "name"],
    "properties": {"type": {"enum": [*TYPES]}, "id": {"type": ["string", "integer"]}, "name": _TEXT},
}
_DETAIL: Final = {
    "type": "object",
    "required": ["period", "description", "detailList"],
    "properties": {
        "period": {"enum": [*PERIODS]},
        "description": _TEXT,
        "detailList": {"type": "array", "items": _ITEM},
    },
}
_DAY: Final = {
    "type": "object",
    "required": ["day", "scheduleTitle", "scheduleDetail"],
    "properties": {
        "day": {"type": ["integer", "string"]},
        "scheduleTitle": _TEXT,
        "scheduleDetail": {"type": "array", "minItems": 1, "items": _DETAIL},
    },
}
_TIPS: Final = {
    "type": "object",
    "required": ["title", "info"],
    "properties": {"title": {"type": "string"}, "info": {"type": "string"}},
}
SCHEMA: Final = {
    "type": "object",
    "required": ["itineraryName", "recommendReason", "dayInfos", "tips"],
    "properties": {
        "itineraryName": _TEXT,
        "recommendReason": _TEXT,
        "dayInfos": {"type": "array", "minItems": 1, "items": _DAY},
        "tips": _TIPS,
    },
}
_KINDS: Final[Mapping[str, Kind]] = {POI: "visit", HOTEL: "stay", TRANSPORT: "leg"}


def _parts(owner: Any, key: str) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """The objects of a list, with their places."""
    listed = owner.get(key) if isinstance(owner, Mapping) else None
    for at, part in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(part, Mapping):
            yield (key, at), part


def _text(owner: Mapping[str, Any], key: str) -> str:
    value = owner.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)[:80]


def view_plan(plan: Plan, setting: Setting[Task, None]) -> PlanView:
    """A plan of any shape as pages show it."""
    lookup = Lookup(setting.task.reference)
    days = (_day(at, day, setting.task, lookup) for at, day in _parts(plan, "dayInfos"))
    return PlanView(tuple(days))


def _day(at: Where, day: Mapping[str, Any], task: Task, lookup: Lookup) -> Day:
    entries = [
        _entry((*at, *where, *last), item, _text(detail, "period"), lookup)
        for where, detail in _parts(day, "scheduleDetail")
        for last, item in _parts(detail, "detailList")
    ]
    cities = dict.fromkeys(entry.place.city for entry in entries if entry.place and entry.place.city)
    when = task.query.start_date + timedelta(days=int(at[-1]))
    return Day(at, _text(day, "day"), when.isoformat(), tuple(cities), tuple(entries))


def _entry(at: Where, item: Mapping[str, Any], period: str, lookup: Lookup) -> Entry:
    kind, id_, name = _text(item, "type"), _text(item, "id"), _text(item, "name")
    known = lookup.entry(kind, id_) if kind in TYPES else None
    when = _period(period)
    if kind != TRANSPORT:
        place = Ref(name, known.city, id_, known.point) if known else Ref(name, id=id_)
        return Entry(_KINDS.get(kind, "other"), at, name, when, place)
    if known is None:
        return Entry("leg", at, name, when)
    label = f"{name} {known.from_city} → {known.to_city}"
    if known.times:
        start, end = (moment.hour * 60 + moment.minute for moment in known.times)
        later = (known.times[1].date() - known.times[0].date()).days
        text = f"{known.depart:%H:%M}–{known.arrive:%H:%M}" + (f" +{later}" if later else "")
        when = When(start, end + later * 1440, period, text)
    place, origin = Ref(known.to_city, known.to_city), Ref(known.from_city, known.from_city)
    return Entry("leg", at, label, when, place, origin, known.mode)


def _period(period: str) -> When:
    """A period fills its hours."""
    if period not in PERIODS:
        return When(period=period, text=period)
    window = VISIT_WINDOWS[PERIODS.index(period)]
    return When(window.start, window.end, period, period)


PLANS = Plans(find_plan, view_plan, SCHEMA, check_plan, checks_shape=True)
