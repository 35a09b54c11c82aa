"""TravelEval's plans: found in a text, shown, and the schema of those that are as they should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmark.core.setting import Setting
from benchmark.plans.clock import minutes
from benchmark.plans.finding import first_fenced_object
from benchmark.plans.places import locate
from benchmark.plans.view import Cost, CostLine, Day, Entry, Kind, Plan, PlanView, Ref, When, Where
from benchmark.suites.base import Plans
from benchmark.suites.traveleval.scoring.costs import KINDS, costs_of, total
from benchmark.suites.traveleval.scoring.itinerary import HOTEL_TYPES, Itinerary, PlanRefused
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables

SECTIONS: Final = (
    *("summary", "accommodation", "intercity_transport", "daily_plans"),
    "cost_breakdown",
)
TOTAL: Final = "total"
_NO_TABLES: Final = Tables({}, {}, ())
_DAY_MINUTES = 24 * 60
AnySetting = Setting[Query, Tables]

# The released schema.


def _object(required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "object", "required": [*required], "properties": {**required, **(optional or {})}}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT, _NUMBER, _WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}
_CLOCK = {"type": "string", "pattern": "^[0-9]{1,2}:[0-9]{2}$"}
_KINDS_OF_STOPS = ("intercity_transport", "attraction", "meal", *HOTEL_TYPES)
_TIMED_FIELDS = {
    "description": _TEXT,
    "start_time": _CLOCK,
    "end_time": _CLOCK,
    "location_name": _TEXT,
    "cost": _NUMBER,
    "transportation_to": _TEXT,
    "transportation_cost": _NUMBER,
}
_STOP_DETAILS = {
    "transport_time": {"type": ["number", "string"]},
    **dict.fromkeys(("ticket_type", "cuisine", "line", "bus_number"), _TEXT),
    **dict.fromkeys(("ticket_price", "ticket_number", "load_limit", "car_number"), _NUMBER),
}
_STOP = _object(
    {"type": {"enum": [*_KINDS_OF_STOPS]}, **_TIMED_FIELDS}, {"details": _object({}, _STOP_DETAILS)}
)
_LEG_DETAILS = _object({"transport_number": _TEXT, "price": _NUMBER, "number": _NUMBER})
_ROOM = _object({"type": _TEXT, "quantity": _NUMBER, "price_per_night": _NUMBER, "nights": _WHOLE})
SCHEMA = _object(
    {
        "summary": _object(
            {
                "total_days": _WHOLE,
                "total_travelers": _WHOLE,
                "departure": _TEXT,
                "destination": _TEXT,
                "total_budget": _NUMBER,
                "calculated_total_cost": _NUMBER,
                "is_within_budget": {"type": "boolean"},
            }
        ),
        "accommodation": _object({"hotel_name": _TEXT, "room_type": _list(_ROOM), "total_cost": _NUMBER}),
        "intercity_transport": _object(
            {
                "transport_type": _list(_object({**_TIMED_FIELDS, "details": _LEG_DETAILS})),
                "total_cost": _NUMBER,
            }
        ),
        "daily_plans": _list(
            _object(
                {"day": _WHOLE, "date": _TEXT, "starting_point": _TEXT, "ending_point": _STOP},
                {"activities": _list(_STOP)},
            )
        ),
        "cost_breakdown": _object(dict.fromkeys((*KINDS, TOTAL), _NUMBER)),
    }
)


def find_plan(text: str, _before: Plan | None = None) -> Plan | None:
    """The plan in a text, as it is or as the itinerary of a line of a file of plans; None where there is none."""
    found = first_fenced_object(text)
    if found is not None and isinstance(found.get("itinerary"), dict):
        found = found["itinerary"]
    return found if found is not None and any(section in found for section in SECTIONS) else None


# The view.


def _parts(owner: Any, *keys: str) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """The objects of a list, with their places."""
    for key in keys:
        owner = owner.get(key) if isinstance(owner, Mapping) else None
    for at, part in enumerate(owner if isinstance(owner, list) else []):
        if isinstance(part, Mapping):
            yield (*keys, at), part


def _text(owner: Any, key: str) -> str:
    value = owner.get(key) if isinstance(owner, Mapping) else None
    return value if isinstance(value, str) else "" if value is None else str(value)[:80]


class _Sketch:
    """The entries of a plan, for a setting."""

    def __init__(self, plan: Plan, setting: AnySetting) -> None:
        self._plan, self._setting = plan, setting
        self.city = _text(plan.get("summary"), "destination")

    def days(self) -> Iterator[Day]:
        legs = list(self._legs())
        days = list(_parts(self._plan, "daily_plans"))
        for nth, (at, day) in enumerate(days):
            arriving = legs[:1] if nth == 0 else []
            leaving = legs[1:] if nth == len(days) - 1 else []
            entries = (*arriving, *self._entries(at, day), *leaving)
            yield Day(at, _text(day, "day"), _text(day, "date"), (self.city,), entries)

    def _entries(self, at: Where, day: Mapping[str, Any]) -> Iterator[Entry]:
        here = self._ref(_text(day, "starting_point"))
        if here.name:
            yield Entry("other", (*at, "starting_point"), here.name, place=here)
        for where, activity in _parts(day, "activities"):
            yield from self._stop((*at, *where), activity, here, ends_day=False)
            here = self._ref(_text(activity, "location_name"))
        if isinstance(end := day.get("ending_point"), Mapping):
            yield from self._stop((*at, "ending_point"), end, here, ends_day=True)

    def _stop(self, at: Where, stop: Mapping[str, Any], origin: Ref, *, ends_day: bool) -> Iterator[Entry]:
        place, mode = self._ref(_text(stop, "location_name")), _text(stop, "transportation_to")
        if mode:
            fare = _cost(stop.get("transportation_cost"))
            to = (*at, "transportation_to")
            yield Entry(
                "move", to, f"{mode} → {place.name}", place=place, origin=origin, mode=mode, cost=fare
            )
        kind = _kind(stop, ends_day=ends_day)
        yield Entry(kind, at, place.name, _when(stop), place, cost=_cost(stop.get("cost")))

    def _legs(self) -> Iterator[Entry]:
        for at, leg in _parts(self._plan, "intercity_transport", "transport_type"):
            label = _text(leg.get("details"), "transport_number") or _text(leg, "description")
            place = Ref(_text(leg, "location_name"))
            mode = _text(leg, "transportation_to")
            yield Entry("leg", at, label, _when(leg), place, mode=mode, cost=_cost(leg.get("cost")))

    def _ref(self, name: str) -> Ref:
        pack = self._setting.pack
        return Ref(name, self.city, point=locate(pack, name, self.city) if pack and name else None)


def _kind(stop: Mapping[str, Any], *, ends_day: bool) -> Kind:
    kind = stop.get("type")
    if kind == "attraction":
        return "visit"
    if kind == "meal":
        return "meal"
    return "stay" if ends_day and kind in HOTEL_TYPES else "other"


def _when(timed: Mapping[str, Any]) -> When:
    start, end = minutes(timed.get("start_time")), minutes(timed.get("end_time"))
    if start is not None and end is not None and end < start:
        end += _DAY_MINUTES
    return When(start, end, text=f"{_text(timed, 'start_time') or '?'}–{_text(timed, 'end_time') or '?'}")


def _cost(value: Any) -> Cost | None:
    if value is None:
        return None
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        Cost(float(value), "party") if known and abs(value) < 1e15 else Cost(None, "party", str(value)[:20])
    )


def cost_lines(plan: Plan, setting: AnySetting) -> tuple[CostLine, ...]:
    """What a plan costs by kind, and in all against the budget; nothing where that can't be told."""
    try:
        own = Itinerary.read(plan, setting.task, setting.world or _NO_TABLES)
        own.refuse_unreadable()
        costs = costs_of(own)
    except (PlanRefused, UndefinedFigure, OverflowError):
        return ()
    whole = total(costs)
    kinds = [CostLine(kind, costs[kind], whole=whole) for kind in KINDS]
    return (*kinds, CostLine(TOTAL, whole, setting.task.budget))


def view_plan(plan: Plan, setting: AnySetting) -> PlanView:
    """A plan of any shape as pages show it."""
    return PlanView(tuple(_Sketch(plan, setting).days()), cost_lines(plan, setting))


PLANS = Plans(find_plan, view_plan, SCHEMA)
