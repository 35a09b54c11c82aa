"""How the plans of GroupTravelBench are found and shown."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmark.core.setting import Setting
from benchmark.plans.places import locate
from benchmark.plans.view import Plan, PlanView
from benchmark.suites.base import Plans
from benchmark.suites.grouptravel.itineraries import reading
from benchmark.suites.grouptravel.itineraries.extraction import last_plan
from benchmark.suites.grouptravel.itineraries.view import no_point, view_plan

_TEXT = {"type": "string"}
CLOCK_PATTERN = r"^([01]?\d|2[0-3]):[0-5]?\d$"
"""Of times, as `benchmark.plans.clock` reads them."""
_CLOCK = {"type": "string", "pattern": CLOCK_PATTERN}
_TIMES = {"start_time": _CLOCK, "end_time": _CLOCK}
_COST = {"type": "number", "minimum": 0}
_PLACES = {
    "type": "object",
    "required": ["type", "start_time", "end_time"],
    "properties": {
        "type": {"enum": [reading.ATTRACTION, reading.FOOD, reading.HOTEL, reading.TRANSIT, reading.REST]},
        **_TIMES,
        "location": _TEXT,
        "from": _TEXT,
        "to": _TEXT,
        "transport_mode": _TEXT,
        "participants": {"type": "array", "items": _TEXT, "minItems": 1},
        "avg_cost": _COST,
    },
}
_LEG = {
    "type": "object",
    "required": ["type", "from_city", "to_city", "transport_mode", "start_time", "end_time", "avg_cost"],
    "properties": {
        "type": {"const": reading.LEG},
        "from_city": _TEXT,
        "to_city": _TEXT,
        "transport_mode": _TEXT,
        **_TIMES,
        "avg_cost": _COST,
    },
}
_STAY = {
    "type": "object",
    "required": ["city", "activities"],
    "properties": {"city": _TEXT, "activities": {"type": "array", "items": _PLACES}},
}
_DAY = {
    "type": "object",
    "required": ["day", "city_segments"],
    "properties": {
        "day": {"type": "integer", "minimum": 1},
        "date": {"type": "string", "format": "date"},
        "city_segments": {"type": "array", "items": {"anyOf": [_LEG, _STAY]}},
    },
}
SCHEMA = {
    "type": "object",
    "required": ["days"],
    "properties": {"days": {"type": "array", "items": _DAY, "minItems": 1}},
}


def _view(plan: Plan, setting: Setting[Any, Any]) -> PlanView:
    point_of = no_point if setting.pack is None else partial(locate, setting.pack)
    return view_plan(plan, setting.users, point_of=point_of)


PLANS = Plans(lambda text, before: last_plan([text]), _view, SCHEMA)
