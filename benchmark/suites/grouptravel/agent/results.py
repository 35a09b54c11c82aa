"""What the tools have told: their answers, often from caches or from a model, and services between cities."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, timedelta
from functools import lru_cache

from benchmark.core.actions import ToolCall
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from sandbox.tools.results import Partial, T, read_partial
from sandbox.toolsets.grouptravel.services import PartialService, PartialTrip
from sandbox.toolsets.grouptravel.tools import TOOLS

_MOST = 1e9
"""No figure of a trip is as large."""
_SEARCHES = {"trains": "travel_search_trains", "flights": "travel_search_flights"}


def told_by(entry: ToolEntry) -> Partial | None:
    """What a call's answer tells, in its tool's own form; None for errors and for what is not an object."""
    return told_in(entry.name, entry.result) if entry.result else None


def as_text(told: Partial, field: str) -> str:
    """A field of what was told, as text; "" where it was not told, and "None" where it was told to be null."""
    return str(getattr(told, field)) if field in told.model_fields_set else ""


@lru_cache(maxsize=1024)
def told_in(tool: str, result: str) -> Partial | None:
    """What the text of a tool's result tells. The log is read several times in a session; an answer is read once."""
    try:
        value = json.loads(result)
    except (ValueError, RecursionError):
        return None
    if tool not in TOOLS or not isinstance(value, dict) or "error" in value:
        return None
    return read_partial(TOOLS[tool].partial, value, most=_MOST)


def service_call(kind: str, origin: str, destination: str, day: date) -> ToolCall:
    """The search for trains or flights of one day."""
    return ToolCall(_SEARCHES[kind], {"origin": origin, "destination": destination, "date": day.isoformat()})


def round_trip_calls(brief: Brief) -> list[ToolCall]:
    """Trains and flights out on the first day and back on the last."""
    if not brief.departure_city or not brief.cities:
        return []
    back = brief.start + timedelta(days=brief.days - 1)
    return [
        service_call(kind, *leg)
        for kind in _SEARCHES
        for leg in (
            (brief.departure_city, brief.cities[0], brief.start),
            (brief.cities[-1], brief.departure_city, back),
        )
    ]


def result_of(model: type[T], call: ToolCall, tool_log: Iterable[ToolEntry]) -> T:
    """What a call has returned, in its tool's own form; with nothing in it when it failed or has not been made."""
    for entry in tool_log:
        if entry.name == call.name and entry.arguments == call.arguments:
            told = None if entry.error else told_by(entry)
            return told if isinstance(told, model) else model()
    return model()


def services_in(result: PartialTrip) -> list[tuple[PartialService, float]]:
    """The trains or flights of a result that have a price, each with it."""
    rows = result.trains or result.flights or []
    return [(row, float(row.price)) for row in rows if row is not None and row.price is not None]


def cheapest_round_trip(brief: Brief, tool_log: Iterable[ToolEntry]) -> float:
    """CNY a person for the cheapest way out and back by what is known, 0 where one of the two is not known."""
    log = tuple(tool_log)
    calls = round_trip_calls(brief)
    ends = {str(call.arguments["origin"]): None for call in calls if isinstance(call.arguments, dict)}
    prices = {origin: _cheapest(origin, calls, log) for origin in ends}
    return sum(prices.values()) if prices and all(prices.values()) else 0.0


def _cheapest(origin: str, calls: list[ToolCall], log: tuple[ToolEntry, ...]) -> float:
    own = [call for call in calls if isinstance(call.arguments, dict) and call.arguments["origin"] == origin]
    prices = [price for call in own for _, price in services_in(result_of(PartialTrip, call, log))]
    return min(prices, default=0.0)
