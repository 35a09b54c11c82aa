"""What a plan costs, in six kinds (CNY of the whole party)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from benchmark.suites.traveleval.scoring.itinerary import (
    ATTRACTION,
    HOTEL_TYPES,
    MEAL,
    TRANSPORT_TYPES,
    Itinerary,
)
from benchmark.suites.traveleval.scoring.reading import Node, ratio
from benchmark.suites.traveleval.scoring.results import Result

KINDS: Final = (
    "attractions",
    "intercity_transportation",
    "intracity_transportation",
    "accommodation",
    "meals",
    "other",
)
_OF_TYPES: Final = {ATTRACTION: "attractions", MEAL: "meals"}
Costs = dict[str, float]


def costs_of(plan: Itinerary) -> Costs:
    """The costs by kind. Raises UndefinedFigure."""
    costs = dict.fromkeys(KINDS, 0.0)
    legs = plan.legs
    for leg in legs:
        details = leg.need("details")
        costs["intercity_transportation"] += details.need("price").number() * details.need("number").number()
    for room in plan.plan.need("accommodation").need("room_type").items():
        numbers = [room.need(key).number() for key in ("quantity", "price_per_night", "nights")]
        costs["accommodation"] += math.prod(numbers)
    for entry in plan.entries:
        _add_entry(costs, entry, plan, legs)
    return costs


def total(costs: Costs) -> float:
    """All of them."""
    return sum(costs.values())


def _add_entry(costs: Costs, entry: Node, plan: Itinerary, legs: Sequence[Node]) -> None:
    for activity in entry.need("activities").items():
        cost, kind = _activity_cost(activity, plan), _kind(activity.need("type"))
        if kind:
            costs[kind] += cost
        costs["intracity_transportation"] += _move_cost(activity, legs)
    if (end := entry.get("ending_point")).value:
        costs["intracity_transportation"] += _move_cost(end, legs)


def _kind(type_: Node) -> str:
    if type_.value in (*HOTEL_TYPES, *TRANSPORT_TYPES):
        return ""
    return _OF_TYPES.get(type_.value, "other") if isinstance(type_.value, str) else "other"


def _activity_cost(activity: Node, plan: Itinerary) -> float:
    """By its tickets; what has none has a cost of its own."""
    details = activity.get("details")
    if details.value is None:
        return activity.get("cost", 0).number()
    price = details.get("ticket_price").value_or(0).number()
    count = details.get("ticket_number").value_or(0).integer()
    if price == 0:
        return activity.get("cost", 0).number()
    return price * (count or plan.summary.need("total_travelers").figure())


def _move_cost(stop: Node, legs: Sequence[Node]) -> float:
    """Of the way to a stop; a price as high as that of the last leg is one of a leg."""
    cost = stop.get("transportation_cost", 0).number()
    highest = legs[-1].need("details").need("price").figure() if legs else math.inf
    return cost if cost < highest else 0.0


def deviation(plan: Itinerary, costs: Costs) -> Result:
    """CCD (formula 1): how far the costs that the plan tells are from the actual ones."""
    told = plan.plan.need("cost_breakdown")
    rows = [{"kind": kind, "told": told.get(kind, 0).number(), "actual": costs[kind]} for kind in KINDS]
    apart = sum(abs(costs[kind] - told.get(kind, 0).number()) for kind in KINDS)
    return Result(ratio(apart, total(costs)), rows=rows)


def within_budget(plan: Itinerary, costs: Costs) -> Result:
    """BCS: whether the plan says that it keeps its own budget, and does."""
    budget = plan.summary.get("total_budget").value_or(0).number()
    spent = total(costs)
    kept = bool(plan.summary.get("is_within_budget").value) and (budget == 0 or spent <= budget)
    return Result(kept, rows=[{"spent": spent, "budget": budget}])
